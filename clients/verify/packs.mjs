#!/usr/bin/env node
// Recomputes the packs of a finished match from its revealed seed, in another language.
//
//   node clients/verify/packs.mjs SEED DEAL ATTEMPT [SIZE [SALT...]]   prints the pack of 20, 24 or 32, first card on top
//   node clients/verify/packs.mjs LOG                                  checks the commitment, prints every pack
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

function shuffled(items, key, label, tail = "") {
  const block = (n) => createHmac("sha256", key).update(`${label}/${n}${tail}`).digest();
  const bytes = (function* () { for (let n = 0; ; n++) yield* block(n); })();
  for (let i = items.length - 1; i > 0; i--) {
    let byte;
    do byte = bytes.next().value; while (byte >= 256 - (256 % (i + 1)));
    const j = byte % (i + 1);
    [items[i], items[j]] = [items[j], items[i]];
  }
  return items;
}

export function pack(seed, deal, attempt, size = 24, salts = []) {
  const own = seed.subarray(32); // of a duplicate match: what the suits are called in this one
  const cards = [..."SHDC"].flatMap((suit) => [..."ATKQJ987"].slice(0, size / 4).map((rank) => rank + suit));
  shuffled(cards, seed.subarray(0, 32), `pack/${deal}/${attempt}`, salts.map((salt) => `/${salt}`).join(""));
  if (!own.length) return cards;
  const called = shuffled([..."SHDC"], own, `suits/${deal}/${attempt}`);
  return cards.map(([rank, suit]) => rank + called["SHDC".indexOf(suit)]);
}

const [first, deal, attempt, size, ...salts] = process.argv.slice(2);
if (attempt) console.log(pack(Buffer.from(first, "hex"), deal, attempt, size, salts).join(" "));
else if (first) {
  const events = readFileSync(first, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
  const seed = Buffer.from(events.at(-1).seed, "hex");
  const commitment = createHash("sha256").update(seed).digest("hex");
  if (events[0].commitment !== commitment) throw new Error("the seed is not the one committed to");
  const { ruleset, salts } = events[0];
  for (const event of events.filter(({ type }) => type === "deal_begun"))
    console.log(event.deal, event.attempt, pack(seed, event.deal, event.attempt, ruleset.options.pack, salts).join(" "));
}
