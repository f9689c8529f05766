#!/usr/bin/env node
// Recomputes the packs of a finished match from its revealed seed, in another language.
//
//   node clients/verify/packs.mjs SEED DEAL ATTEMPT [SIZE]     prints the pack of 20, 24 or 32, first card on top
//   node clients/verify/packs.mjs LOG                          checks the commitment, prints every pack
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

export function pack(seed, deal, attempt, size = 24) {
  const block = (n) => createHmac("sha256", seed).update(`pack/${deal}/${attempt}/${n}`).digest();
  const bytes = (function* () { for (let n = 0; ; n++) yield* block(n); })();
  const cards = [..."SHDC"].flatMap((suit) => [..."ATKQJ987"].slice(0, size / 4).map((rank) => rank + suit));
  for (let i = cards.length - 1; i > 0; i--) {
    let byte;
    do byte = bytes.next().value; while (byte >= 256 - (256 % (i + 1)));
    const j = byte % (i + 1);
    [cards[i], cards[j]] = [cards[j], cards[i]];
  }
  return cards;
}

const [first, deal, attempt, size] = process.argv.slice(2);
if (attempt) console.log(pack(Buffer.from(first, "hex"), deal, attempt, size).join(" "));
else if (first) {
  const events = readFileSync(first, "utf8").trimEnd().split("\n").map((line) => JSON.parse(line));
  const seed = Buffer.from(events.at(-1).seed, "hex");
  const commitment = createHash("sha256").update(seed).digest("hex");
  if (!JSON.stringify(events[0]).includes(commitment)) throw new Error("the seed is not the one committed to");
  for (const event of events.filter(({ type }) => type === "deal_begun"))
    console.log(event.deal, event.attempt, pack(seed, event.deal, event.attempt, events[0].ruleset.options.pack).join(" "));
}
