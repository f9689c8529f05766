from referee.service import Service, tournaments, matches
from referee import match
from tests.service.playing_along import *
import time
def test_x(service):
    bots=[register(service,n,concurrency=8) for n in "Ada Bea Cyd Dee Eve Fay Gus".split()]
    t=time.time()
    cup=tournament(service,bots,ruleset="three_handed")
    play_on(service,bots,drawn(1))
    print(tournaments.get_tournament(service,cup)["balance"]["words"], time.time()-t)
    for l in tournaments.standings(service,cup)["standings"]: print(l)
    for r in matches_of(service,cup): assert match.verify(matches.get_log(service,r["id"])).ok; print(r["score"],r["winner"],r["cause"])
def test_y(service):
    bots=[register(service,n,concurrency=8) for n in "Ada Bea Cyd Dee Eve Fay Gus Hal".split()]
    teams=[{"bots":[bots[i].id,bots[i+1].id]} for i in range(0,8,2)]
    for name, target in (("four_handed",1),("cruce",3)):
        t=time.time()
        cup=tournament(service,[],ruleset=name,teams=teams,overrides={"target":target})
        play_on(service,bots,drawn(1))
        print(tournaments.get_tournament(service,cup)["balance"]["words"], time.time()-t)
        for l in tournaments.standings(service,cup)["standings"]: print(l)
        for r in matches_of(service,cup): assert match.verify(matches.get_log(service,r["id"])).ok; print(r["score"],r["winner"],r["cause"])
        print(tournaments.crosstable(service,cup)["rows"][0])
