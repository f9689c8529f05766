#!/usr/bin/env perl
# Recomputes packs from a revealed seed, written from the description in referee/match/seeds.py alone.
#
#   perl tests/verify/packs.pl SEED DEAL ATTEMPT SIZE [SALT...]   prints one pack, first card on top
#   perl tests/verify/packs.pl LOG                                checks the commitment, prints every pack
#
# Only modules that come with Perl: Digest::SHA, JSON::PP.
use strict;
use warnings;
use Digest::SHA qw(hmac_sha256 sha256_hex);
use JSON::PP qw(decode_json);

sub shuffled {
    my ($key, $label, $tail, @items) = @_;
    my ($block, @bytes) = (0);
    for my $last (reverse 1 .. $#items) {
        my $fair = int(256 / ($last + 1)) * ($last + 1);
        my $byte;
        do {
            @bytes = unpack 'C*', hmac_sha256("$label/" . $block++ . $tail, $key) unless @bytes;
            $byte = shift @bytes;
        } until $byte < $fair;
        my $other = $byte % ($last + 1);
        @items[$last, $other] = @items[$other, $last];
    }
    return @items;
}

sub pack_for {
    my ($seed, $deal, $attempt, $size, @salts) = @_;
    my @ranks = (split //, 'ATKQJ987')[0 .. $size / 4 - 1];
    my @new = map { my $suit = $_; map { "$_$suit" } @ranks } qw(S H D C);
    my @cards = shuffled(substr($seed, 0, 32), "pack/$deal/$attempt", join('', map { "/$_" } @salts), @new);
    return @cards if length $seed == 32;
    my %called;
    @called{qw(S H D C)} = shuffled(substr($seed, 32), "suits/$deal/$attempt", '', qw(S H D C));
    return map { substr($_, 0, 1) . $called{ substr $_, 1 } } @cards;
}

if (@ARGV > 1) {
    my ($seed, $deal, $attempt, $size, @salts) = @ARGV;
    print join(' ', pack_for(pack('H*', $seed), $deal, $attempt, $size, @salts)), "\n";
    exit;
}
open my $log, '<', $ARGV[0] or die "$ARGV[0]: $!\n";
my @events = map { decode_json($_) } <$log>;
my $seed = pack 'H*', $events[-1]{seed};
die "the seed is not the one committed to\n" if sha256_hex($seed) ne $events[0]{commitment};
for my $event (grep { $_->{type} eq 'deal_begun' } @events) {
    my @salts = @{ $events[0]{salts} // [] };
    my @pack = pack_for($seed, $event->{deal}, $event->{attempt}, $events[0]{ruleset}{options}{pack}, @salts);
    print "$event->{deal} $event->{attempt} @pack\n";
}
