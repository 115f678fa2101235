// Ordering: drag by the grip, or move with the arrow keys on it, or with the buttons.
import { h } from "../dom.js";
import { content, spoken } from "./content.js";

export function ordering({ view, say }) {
  let order = view.items.map((item) => item.id);
  let touched = false;
  const rows = new Map();
  const list = h("ol", { class: "items" });
  const name = (id) => spoken(view.items.find((item) => item.id === id).content);

  function move(id, to, focus) {
    const from = order.indexOf(id);
    to = Math.max(0, Math.min(order.length - 1, to));
    touched = true;
    if (from !== to) {
      order.splice(to, 0, ...order.splice(from, 1));
      place();
    }
    focus?.focus();
    say(`${name(id)}: place ${to + 1} of ${order.length}`);
  }

  function place() {
    order.forEach((id, at) => {
      const row = rows.get(id);
      if (list.children[at] !== row.element) list.insertBefore(row.element, list.children[at] ?? null);
      row.up.disabled = at === 0;
      row.down.disabled = at === order.length - 1;
    });
  }

  for (const item of view.items) {
    const { id } = item;
    const said = spoken(item.content);
    const grip = h(
      "button",
      { type: "button", class: "grip", "aria-label": `Move ${said} with the arrow keys` },
      svgGrip(),
    );
    const step = (label, by, sign) =>
      h("button", { type: "button", "aria-label": `${label}: ${said}`, onclick: (event) => move(id, order.indexOf(id) + by, event.currentTarget) }, sign);
    const [up, down] = [step("Up", -1, "↑"), step("Down", 1, "↓")];
    const element = h("li", { class: "item", "data-id": id }, grip, h("span", { class: "text" }, content(item.content)), h("span", { class: "steps" }, up, down));
    rows.set(id, { element, up, down, grip });
    grip.addEventListener("keydown", (event) => {
      const to = { ArrowUp: order.indexOf(id) - 1, ArrowDown: order.indexOf(id) + 1, Home: 0, End: order.length - 1 }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      move(id, to, grip);
    });
    grip.addEventListener("pointerdown", (event) => drag(event, id, grip, element));
  }

  function drag(event, id, grip, element) {
    if (event.button !== 0) return;
    event.preventDefault();
    grip.focus();
    grip.setPointerCapture(event.pointerId);
    element.classList.add("moving");
    const follow = ({ clientY }) => {
      const others = order.filter((other) => other !== id);
      const to = others.filter((other) => {
        const box = rows.get(other).element.getBoundingClientRect();
        return clientY > box.top + box.height / 2;
      }).length;
      if (to !== order.indexOf(id)) {
        order = [...others.slice(0, to), id, ...others.slice(to)];
        touched = true;
        // Moving a captured element would end the drag, so the others move around it.
        for (const other of others) {
          if (order.indexOf(other) < to) list.insertBefore(rows.get(other).element, element);
          else list.append(rows.get(other).element);
        }
        place();
      }
    };
    const end = () => {
      element.classList.remove("moving");
      grip.removeEventListener("pointermove", follow);
      say(`${name(id)}: place ${order.indexOf(id) + 1} of ${order.length}`);
    };
    grip.addEventListener("pointermove", follow);
    grip.addEventListener("lostpointercapture", end, { once: true });
  }

  place();
  return {
    element: h(
      "div",
      { class: "choices" },
      view.prompt && h("p", { class: "prompt" }, content(view.prompt)),
      list,
      h("p", { class: "note" }, "Drag by the dots, or use the arrow keys on them."),
    ),
    submission: () => ({ type: "ordering", order }),
    missing: () => (touched ? undefined : "Move the items into your order first."),
  };
}

function svgGrip() {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  for (const [key, value] of Object.entries({ width: 14, height: 18, viewBox: "0 0 14 18", "aria-hidden": "true" })) svg.setAttribute(key, value);
  for (const [x, y] of [[4, 3], [10, 3], [4, 9], [10, 9], [4, 15], [10, 15]]) {
    const dot = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    for (const [key, value] of Object.entries({ cx: x, cy: y, r: 1.7, fill: "currentColor" })) dot.setAttribute(key, value);
    svg.append(dot);
  }
  return svg;
}
