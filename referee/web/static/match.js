"use strict";
// A live match follows its events; a finished one is stepped through with the arrow keys. Texts come from the server.

const list = document.getElementById("events");
const table = document.getElementById("table");

async function redraw() {
  const answer = await fetch(table.dataset.source, { headers: { Accept: "application/json" } });
  if (!answer.ok) return;
  const news = await answer.json();
  table.innerHTML = news.table; // drawn and escaped by the server
  const last = Number(list.firstElementChild?.value ?? 0);
  for (const event of news.events) {
    if (event.n <= last) continue;
    const item = document.createElement("li");
    item.value = event.n;
    item.textContent = event.words;
    list.prepend(item);
  }
  if (news.over) setTimeout(() => location.reload(), 2000);
}

function follow() {
  let waiting = false;
  const soon = () => {
    if (waiting) return;
    waiting = true;
    setTimeout(() => { waiting = false; redraw(); }, 200);
  };
  const source = new EventSource(`${list.dataset.source}?after=${list.firstElementChild?.value ?? 0}`);
  source.onmessage = soon;
  source.addEventListener("end", () => { source.close(); soon(); });
}

function step(event) {
  const relation = { ArrowLeft: "prev", ArrowRight: "next" }[event.key];
  if (!relation || event.altKey || event.ctrlKey || event.metaKey) return;
  const link = document.querySelector(`.steps a[rel=${relation}]`);
  if (link) location.assign(link.href);
}

if (list && table) follow();
document.addEventListener("keydown", step);
