#!/usr/bin/env node
// A bot for Node: prefers marriages and the exchange, wins cheaply, else throws its least card.
//
//   node clients/node/bot.mjs --name node [--push PORT] [--public-url URL] [--url URL]

import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { refereeUrl, run, serve } from "./sixtysix.mjs";

const RANKS = "9JQKTA";
const VALUES = { A: 11, T: 10, K: 4, Q: 3, J: 2, 9: 0 };

/** Is the bot: from prompt to act. Any element of `lawful` would be a correct answer. */
export function choose({ lawful, view, options }) {
  const election = options?.find((option) => option.default)?.option;
  if (election) return lawful.find((act) => act.option === election) ?? lawful[0];
  const ready = lawful.find((act) => act.act === "exchange") ?? lawful.find((act) => act.act === "marry");
  const plays = lawful.filter((act) => act.act === "play");
  if (ready || !plays.length) return ready ?? lawful[0];
  const led = view.table[0]?.card;
  const winning = led ? plays.filter(({ card }) => beats(card, led, view.trump)) : [];
  return cheapest(winning.length ? winning : plays, view.trump);
}

function beats(card, led, trump) {
  return card[1] === led[1] ? RANKS.indexOf(card[0]) > RANKS.indexOf(led[0]) : card[1] === trump;
}

function cheapest(plays, trump) {
  const cost = ({ card }) => VALUES[card[0]] + (card[1] === trump ? 5 : 0);
  return plays.reduce((best, act) => (cost(act) < cost(best) ? act : best));
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
