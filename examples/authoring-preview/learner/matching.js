// Matching: take a partner (click, Enter or drag), then put it beside an item.
import { h } from "../dom.js";
import { content, named, spoken } from "./content.js";

export function matching({ view, say }) {
  const partners = new Map();
  let taken;
  const right = new Map(view.right.map((item) => [item.id, item]));
  const slots = h("div", { class: "board" });
  const pool = h("div", { class: "pool", role: "group", "aria-label": "Partners to choose from" });
  const board = h("div", { class: "choices" }, view.prompt && h("p", { class: "prompt" }, content(view.prompt)), slots, h("div", {}, h("span", { class: "label" }, "Partners"), pool));
  const name = (item) => spoken(item.content);

  function put(left, id) {
    if (!view.allowManyToOne) {
      for (const [other, partner] of partners) if (partner === id) partners.delete(other);
    }
    partners.set(left, id);
    taken = undefined;
    draw();
    slots.querySelector(`[data-left="${CSS.escape(left)}"]`)?.focus();
    say(`${name(view.left.find((item) => item.id === left))}: ${name(right.get(id))}`);
  }

  function clear(left) {
    const id = partners.get(left);
    partners.delete(left);
    draw();
    pool.querySelector(`[data-right="${CSS.escape(id)}"]`)?.focus();
    say(`${name(right.get(id))} is free again`);
  }

  function draw() {
    board.classList.toggle("armed", taken !== undefined);
    slots.replaceChildren(
      ...view.left.map((item) => {
        const id = partners.get(item.id);
        const target = h(
          "button",
          {
            type: "button",
            class: id === undefined ? "target" : "target filled",
            "data-left": item.id,
            onclick: () => {
              if (taken !== undefined) put(item.id, taken);
              else if (partners.has(item.id)) clear(item.id);
              else pool.querySelector("button")?.focus();
            },
          },
          id === undefined
            ? named(taken === undefined ? "choose below" : "put it here", `Partner of ${name(item)}: none yet`)
            : named(content(right.get(id).content), `Partner of ${name(item)}: ${name(right.get(id))}. Press to take it back`),
        );
        if (id !== undefined) target.addEventListener("pointerdown", (event) => drag(event, id, target));
        return h("div", { class: "slot" }, h("span", { class: "what" }, content(item.content)), target);
      }),
    );
    const used = new Set(view.allowManyToOne ? [] : partners.values());
    pool.replaceChildren(
      ...view.right.filter((item) => !used.has(item.id)).map((item) => {
        const chip = h(
          "button",
          {
            type: "button",
            class: "chip",
            "data-right": item.id,
            "aria-pressed": String(taken === item.id),
            onclick: () => {
              taken = taken === item.id ? undefined : item.id;
              draw();
              if (taken === undefined) pool.querySelector(`[data-right="${CSS.escape(item.id)}"]`)?.focus();
              else (slots.querySelector(".target:not(.filled)") ?? slots.querySelector(".target")).focus();
              say(taken === undefined ? "" : `${name(item)} taken. Choose where it belongs.`);
            },
          },
          named(content(item.content), name(item)),
        );
        chip.addEventListener("pointerdown", (event) => drag(event, item.id, chip));
        return chip;
      }),
    );
  }

  /** Starts a drag after a few pixels, so a click stays a click. */
  function drag(event, id, element) {
    if (event.button !== 0) return;
    const from = { x: event.clientX, y: event.clientY };
    let ghost;
    const at = ({ clientX, clientY }) => document.elementsFromPoint(clientX, clientY).find((found) => found.classList.contains("target"));
    const follow = (moved) => {
      if (ghost === undefined) {
        if (Math.hypot(moved.clientX - from.x, moved.clientY - from.y) < 5) return;
        element.setPointerCapture(event.pointerId);
        ghost = h("div", { class: "ghost" }, content(right.get(id).content));
        document.body.append(ghost);
      }
      ghost.style.left = `${moved.clientX - 20}px`;
      ghost.style.top = `${moved.clientY - 20}px`;
      for (const target of slots.querySelectorAll(".target")) target.classList.toggle("over", target === at(moved));
    };
    const end = (ended) => {
      window.removeEventListener("pointermove", follow);
      window.removeEventListener("pointerup", end);
      window.removeEventListener("pointercancel", end);
      if (ghost === undefined) return;
      ghost.remove();
      // Ignores the click event that follows a drag.
      window.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
      setTimeout(() => {
        const target = ended.type === "pointerup" ? at(ended) : undefined;
        if (target !== undefined) put(target.dataset.left, id);
        else draw();
      });
    };
    window.addEventListener("pointermove", follow);
    window.addEventListener("pointerup", end);
    window.addEventListener("pointercancel", end);
  }

  board.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && taken !== undefined) {
      taken = undefined;
      draw();
      pool.querySelector("button")?.focus();
    }
  });
  draw();
  return {
    element: board,
    submission: () => ({ type: "matching", pairs: view.left.filter((item) => partners.has(item.id)).map((item) => ({ left: item.id, right: partners.get(item.id) })) }),
    missing: () => (partners.size > 0 ? undefined : "Give at least one item a partner."),
  };
}
