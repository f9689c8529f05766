// A bot for the Sixty-Six referee is one function from prompt to act; this module does the rest.
//
// Needs nothing but Node 18 or newer. Requests are repeated with the same Idempotency-Key after a
// lost reply, a time-out, a 5xx, a 429 or while the referee restarts; every prompt is put to
// `choose` once. Errors: Refused (the referee answered with a problem) and Unreachable.

import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;
const POLL_S = 25;
const ACT_TIMEOUT_MS = 5000;
const OTHER_TIMEOUT_MS = 10000;
const REFUSALS_BORNE = 3;
const TOLERANCE_S = 300;
const REPLIES_KEPT = 1000;
const LONGEST_BODY = 1 << 20;

// Wrong is not the act but its moment: the table is no longer what the prompt showed.
const MOVED_ON = new Set([
  "act/stale_version", "act/too_late", "act/match_over", "act/election_pending", "match/planned", "match/unknown",
]);

/** The referee did not answer for as long as we were ready to wait. */
export class Unreachable extends Error {}

/** The referee answered with a problem (RFC 9457): `status`, `code` and the whole `problem`. */
export class Refused extends Error {
  constructor(status, problem) {
    super(`${status} ${problem?.code ?? "without a code"}: ${problem?.title ?? ""}; ${problem?.detail ?? ""}`);
    this.status = status;
    this.problem = problem;
    this.code = problem?.code ?? "";
  }
}

/** Speaks to the referee at `url` as the bot with `token`; `signal` stops whatever waits. */
export class Session {
  constructor({ url, token, signal, patienceMs = 600_000 }) {
    Object.assign(this, { url, token, signal, patienceMs });
  }

  register(document) {
    return this.#send("POST", "/v1/bots", { document, key: randomUUID() });
  }

  async turns(wait = POLL_S) {
    const timeout = wait * 1000 + OTHER_TIMEOUT_MS;
    return (await this.#send("GET", `/v1/turns?wait=${wait}`, { timeout, signal: this.signal })).prompts;
  }

  act(match, act, { version, key = randomUUID() }) {
    // Not given the signal: an act on its way gets its reply even when we are asked to stop.
    const document = { version, ...act };
    return this.#send("POST", `/v1/matches/${match}/acts`, { document, key, timeout: ACT_TIMEOUT_MS });
  }

  async #send(method, path, { document, key, timeout = OTHER_TIMEOUT_MS, signal }) {
    const headers = { accept: "application/json" };
    if (this.token) headers.authorization = `Bearer ${this.token}`;
    if (document) headers["content-type"] = "application/json";
    if (key) headers["idempotency-key"] = key;
    const body = document && JSON.stringify(document);
    const began = Date.now();
    for (let pause = PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      const answer = await this.#once(method, path, { headers, body, timeout, signal });
      if (answer.status && !askAgain(answer)) {
        if (answer.status < 300) return answer.document;
        throw new Refused(answer.status, answer.document);
      }
      if (Date.now() - began > this.patienceMs) {
        throw new Unreachable(`${method} ${this.url}${path}: ${answer.trouble ?? `status ${answer.status}`}`);
      }
      const wait = answer.retryAfterMs ?? pause * (1 + Math.random() / 4);
      await sleep(wait, undefined, { signal: this.signal });
    }
  }

  async #once(method, path, { headers, body, timeout, signal }) {
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(new Error(`no reply in ${timeout} ms`)), timeout);
    const stop = () => limit.abort(signal.reason);
    signal?.addEventListener("abort", stop);
    try {
      const response = await fetch(this.url + path, { method, headers, body, signal: limit.signal });
      const text = await response.text();
      const retryAfter = response.headers.get("retry-after");
      const retryAfterMs = retryAfter && /^\d+(\.\d+)?$/.test(retryAfter) ? 1000 * retryAfter : undefined;
      return { status: response.status, document: parsed(response.status, text), retryAfterMs };
    } catch (error) {
      if (this.signal?.aborted || error instanceof SyntaxError) throw error;
      return { trouble: String(error.cause ?? error) };
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    }
  }
}

/** Plays for `choose` (prompt => act, may be async) over long polls until `signal` is aborted. */
export async function run(choose, { name, chores = [], url = refereeUrl(), token = process.env.REFEREE_TOKEN, signal }) {
  const session = new Session({ url, token, signal });
  const answered = new Map();
  try {
    if (!token) await enter(session, { name, transport: "pull", chores });
    while (!signal?.aborted) {
      const began = Date.now();
      const prompts = await session.turns();
      for (const prompt of prompts) await answer(session, choose, prompt, answered);
      // A poll the referee did not hold is not repeated at once.
      if (!prompts.length && Date.now() - began < 50) await sleep(500, undefined, { signal });
    }
  } catch (error) {
    if (!signal?.aborted) throw error;
  }
}

/** Serves `choose` to signed calls on `port` until `signal` is aborted; registers unless a secret is known. */
export async function serve(choose, options) {
  const { name, port, chores = [], host = "127.0.0.1", url = refereeUrl(), signal } = options;
  let secret = options.secret ?? process.env.REFEREE_WEBHOOK_SECRET;
  if (process.env.REFEREE_TOKEN && !secret) {
    throw new Error("a token without REFEREE_WEBHOOK_SECRET: give the secret that came with the token");
  }
  const kept = new Map();
  const server = createServer((request, response) => {
    take(request, response, { choose, secret: () => secret, kept }).catch((error) => {
      console.error(`${name}:`, error);
      write(response, 500, { code: "push/bot_failed", detail: "the bot failed on this prompt" });
    });
  });
  await new Promise((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  try {
    if (!secret) {
      const own = options.publicUrl ?? `http://${host}:${server.address().port}/`;
      const session = new Session({ url, signal });
      secret = (await enter(session, { name, transport: "push", url: own, chores })).webhook_secret;
    }
    await new Promise((resolve) => (signal?.aborted ? resolve() : signal?.addEventListener("abort", resolve)));
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Says why a pushed call is not the referee's (Standard Webhooks, v1), or gives undefined if it is. */
export function forged(secret, headers, body, nowS = Date.now() / 1000) {
  const id = headers["webhook-id"];
  const sent = headers["webhook-timestamp"];
  if (!id || !sent || !headers["webhook-signature"]) return "a webhook header is missing";
  if (!/^\d+$/.test(sent) || Math.abs(nowS - Number(sent)) > TOLERANCE_S) return "webhook-timestamp is not of now";
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const right = Buffer.from("v1," + createHmac("sha256", key).update(`${id}.${sent}.`).update(body).digest("base64"));
  const given = headers["webhook-signature"].split(" ").map((text) => Buffer.from(text));
  const good = given.some((one) => one.length === right.length && timingSafeEqual(one, right));
  return good ? undefined : "webhook-signature holds no v1 signature made with our secret";
}

/** Gives the address of the referee: REFEREE_URL, else this machine's default port. */
export function refereeUrl() {
  return (process.env.REFEREE_URL || "http://127.0.0.1:8066").replace(/\/+$/, "");
}

async function enter(session, document) {
  const registered = await session.register({ language: "javascript", version: "1", ...document });
  session.token = registered.token;
  console.log(`${registered.bot.id} ${document.name}`);
  return registered;
}

async function answer(session, choose, prompt, answered) {
  const seat = `${prompt.match} ${prompt.seat}`;
  const before = answered.get(seat);
  const again = before && before.version === prompt.version && before.case === prompt.case;
  const refusals = again ? before.refusals : 0;
  // A prompt comes twice when the referee lost what it had acknowledged: same key, same act.
  if (again && !refusals) await sleep(Math.min(50 * 2 ** ++before.repeats, 5000), undefined, { signal: session.signal });
  const ours = again && !refusals ? before : {
    version: prompt.version, case: prompt.case, key: randomUUID(), act: await choose(prompt), refusals, repeats: 0,
  };
  answered.set(seat, ours);
  try {
    const taken = await session.act(prompt.match, ours.act, { version: prompt.version, key: ours.key });
    if (taken.over) answered.delete(seat);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (MOVED_ON.has(error.code)) return;
    if (![409, 422].includes(error.status) || ++ours.refusals >= REFUSALS_BORNE) throw error;
    console.error(`${prompt.match}: ${JSON.stringify(ours.act)} was refused: ${error.message}`);
  }
}

async function take(request, response, { choose, secret, kept }) {
  const parts = [];
  let length = 0;
  for await (const part of request) {
    length += part.length;
    if (length > LONGEST_BODY) return write(response, 413, { code: "push/too_long", detail: `${LONGEST_BODY} bytes` });
    parts.push(part);
  }
  if (request.method !== "POST") return write(response, 200, { status: "ready" });
  const body = Buffer.concat(parts);
  const why = secret() ? forged(secret(), request.headers, body) : "not registered yet";
  if (why) return write(response, 401, { code: "push/bad_signature", detail: why });
  const prompt = parsed(400, body.toString());
  if (!prompt?.lawful) return write(response, 400, { code: "push/unreadable", detail: "not a prompt in JSON" });
  const id = request.headers["webhook-id"];
  // Kept as a promise, so that a prompt pushed again while we think is not thought about twice.
  if (!kept.has(id)) kept.set(id, (async () => choose(prompt))());
  if (kept.size > REPLIES_KEPT) kept.delete(kept.keys().next().value);
  return write(response, 200, await kept.get(id));
}

function write(response, status, document) {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(document));
}

function askAgain({ status, document }) {
  return status === 429 || status >= 500 || (status === 409 && document?.code === "key/in_progress");
}

function parsed(status, text) {
  if (status < 300) return text ? JSON.parse(text) : undefined;
  try {
    return JSON.parse(text);
  } catch {
    return { title: text.slice(0, 200) };
  }
}
