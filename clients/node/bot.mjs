#!/usr/bin/env node
// A bot for Node: prefers marriages and the exchange, wins cheaply, else throws its least card; plays every game.
//
//   node clients/node/bot.mjs --name node [--push PORT] [--public-url URL] [--url URL]

import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { refereeUrl, run, serve } from "./sixtysix.mjs";

const RANKS = "789JQKTA";
const VALUES = { A: 11, T: 10, K: 4, Q: 3, J: 2 };
const TICK = 33;
// What a hand of Cruce comes to with its partner, by its cards: so much for each trump, ace, ten.
const WORTH = { partner: 20, trump: 10, A: 14, T: 4 };
const MARGIN = 14;

/** Is the bot: from prompt to act. Any element of `lawful` would be a correct answer. */
export function choose({ lawful, view, options }) {
  const election = options?.find((option) => option.default)?.option;
  if (election) return lawful.find((act) => act.option === election) ?? lawful[0];
  if (view.phase === "bid") return bid(lawful, view);
  const suited = lawful.filter(({ card }) => card?.[1] === (view.trump ?? bestSuit(view.hand)));
  const ready = lawful.find((act) => act.act === "exchange") ?? marriage(lawful, view, suited);
  const plays = lawful.filter((act) => act.act === "play");
  if (ready || !plays.length) return ready ?? lawful[0];
  if (!view.table.length) return view.trump ? cheapest(plays, view.trump) : dearest(suited.length ? suited : plays);
  return reply(plays, view);
}

/** Bids what the hand is worth, never the highest bid there is, which is the Moon; and never over the partner. */
function bid(lawful, { hand, bids, partner }) {
  const pass = lawful.find((act) => act.act === "pass");
  const most = Math.floor((worth(hand, bestSuit(hand)) - MARGIN) / TICK);
  const good = lawful.filter((act) => act.act === "bid").slice(0, -1).filter((act) => act.ticks <= most);
  const highest = bids.filter(({ ticks }) => ticks).at(-1);
  return good.length && highest?.seat !== partner ? good.at(-1) : pass ?? lawful[0];
}

function worth(hand, trump) {
  const of = (card) => (card[1] === trump ? WORTH.trump : 0) + (WORTH[card[0]] ?? 0);
  const married = hand.filter((card) => card[0] === "K" && hand.includes(`Q${card[1]}`));
  const marriages = married.reduce((sum, card) => sum + (card[1] === trump ? 40 : 20), 0);
  return hand.reduce((sum, card) => sum + of(card), WORTH.partner + marriages);
}

function bestSuit(hand) {
  const suits = hand.map((card) => card[1]);
  return suits.reduce((best, suit) => (worth(hand, suit) > worth(hand, best) ? suit : best), suits[0]);
}

function marriage(lawful, view, suited) {
  const marriages = lawful.filter((act) => act.act === "marry");
  return suited.find((act) => act.act === "marry") ?? (view.trump ? marriages[0] : undefined);
}

/** Gives the partner's trick what is dear; wins another's cheaply; else throws the least card. */
function reply(plays, { table, trump, partner }) {
  const best = table.reduce((one, two) => (beats(two.card, one.card, trump) ? two : one));
  const [winning, giving] = [true, false].map((wins) => plays.filter(({ card }) => beats(card, best.card, trump) === wins));
  if (best.seat === partner && giving.length) return dearest(giving);
  return cheapest(winning.length ? winning : plays, trump);
}

function beats(card, led, trump) {
  return card[1] === led[1] ? RANKS.indexOf(card[0]) > RANKS.indexOf(led[0]) : card[1] === trump;
}

function cheapest(plays, trump) {
  const cost = ({ card }) => (VALUES[card[0]] ?? 0) + (card[1] === trump ? 5 : 0);
  return plays.reduce((best, act) => (cost(act) < cost(best) ? act : best));
}

function dearest(plays) {
  return plays.reduce((best, act) => ((VALUES[act.card[0]] ?? 0) > (VALUES[best.card[0]] ?? 0) ? act : best));
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values } = parseArgs({
    options: {
      name: { type: "string", default: "node" },
      url: { type: "string", default: refereeUrl() },
      push: { type: "string" },
      "public-url": { type: "string" },
    },
  });
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
  const common = { name: values.name, url: values.url.replace(/\/+$/, ""), signal: stop.signal };
  const playing = values.push === undefined
    ? run(choose, common)
    : serve(choose, { ...common, port: Number(values.push), publicUrl: values["public-url"] });
  playing.catch((error) => {
    console.error(`${values.name}: ${error.message}`);
    process.exitCode = 70;
  });
}
