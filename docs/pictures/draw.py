#!/usr/bin/env python3
"""Draws the pictures of the documentation as SVG, light and dark: python3 docs/pictures/draw.py"""
import pathlib
from xml.sax.saxutils import escape

HERE = pathlib.Path(__file__).parent
STYLE = """
  text { font: 14px system-ui, sans-serif; fill: #1f2933 }
  .small { font-size: 12px; fill: #52606d }
  .box { fill: #f5f7fa; stroke: #9aa5b1 }
  .key { fill: #fdf0e1; stroke: #c77d24 }
  .safe { fill: #e6f4ea; stroke: #3c8d5a }
  .yes { fill: #e6f4ea; stroke: #3c8d5a } .no { fill: #fbe9e9; stroke: #b94a48 } .open { fill: #eef1f5; stroke: #7b8794 }
  .line { stroke: #7b8794; fill: none; stroke-width: 1.4 }
  #tip path { fill: #7b8794 }
  @media (prefers-color-scheme: dark) {
    svg { background: #161b22 }
    text { fill: #e4e7eb } .small { fill: #aab4bf }
    .box { fill: #232a33; stroke: #5b6773 } .key { fill: #3a2c19; stroke: #c77d24 }
    .safe, .yes { fill: #1b3325; stroke: #3c8d5a } .no { fill: #3a2021; stroke: #b94a48 } .open { fill: #2a3038; stroke: #7b8794 }
  }
"""


class Picture:
    def __init__(self, name, width, height, title):
        self.name, self.width, self.height, self.title = name, width, height, title
        self.parts = []

    def box(self, x, y, w, h, lines, kind="box"):
        self.parts.append(f'<rect class="{kind}" x="{x}" y="{y}" width="{w}" height="{h}" rx="8"/>')
        top = y + h / 2 - (len(lines) - 1) * 9 + 5
        for at, line in enumerate(lines):
            style = ' class="small"' if at else ""
            self.parts.append(
                f'<text{style} x="{x + w / 2}" y="{top + 18 * at}" text-anchor="middle">{escape(line)}</text>')

    def arrow(self, *points):
        path = " L".join(f"{x} {y}" for x, y in points)
        self.parts.append(f'<path class="line" d="M{path}" marker-end="url(#tip)"/>')

    def note(self, x, y, text, anchor="middle"):
        self.parts.append(f'<text class="small" x="{x}" y="{y}" text-anchor="{anchor}">{escape(text)}</text>')

    def write(self):
        svg = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" role="img" aria-label="{escape(self.title)}">
<title>{escape(self.title)}</title>
<style>{STYLE}</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 L8 4 L0 8 z"/></marker></defs>
""" + "\n".join(self.parts) + "\n</svg>\n"
        (HERE / f"{self.name}.svg").write_text(svg)


def architecture():
    p = Picture("architecture", 860, 430, "The crates and which depends on which")
    p.box(40, 340, 340, 60, ["fablegrade-public", "views, submissions, results, matchers: no key"], "safe")
    p.box(430, 340, 185, 60, ["fablegrade-math", "are two formulas equal?"], "safe")
    p.box(645, 340, 185, 60, ["fablegrade-latex", "LaTeX read into a tree"], "safe")
    p.box(300, 225, 260, 60, ["fablegrade-core", "specs with their keys, grading, lint"], "key")
    p.box(40, 225, 200, 60, ["systems/", "terry, judgehost, FlowMCP, ..."], "box")
    p.box(620, 225, 200, 60, ["fablegrade-wasm", "the learner's browser"], "safe")
    p.box(40, 115, 200, 60, ["fablegrade-runner", "sandbox, seven languages"], "box")
    p.box(300, 115, 120, 60, ["capi", "C and C++"], "box")
    p.box(440, 115, 120, 60, ["wasm/author", "the author's page"], "key")
    p.box(40, 20, 200, 55, ["fablegrade-cli", "the command"], "box")
    p.box(300, 20, 260, 55, ["fablegrade-py", "Python, Arrow, Spark, Django"], "box")
    for points in [
        ((350, 285), (300, 338)), ((500, 285), (530, 338)), ((615, 370), (643, 370)),
        ((140, 285), (140, 338)), ((700, 285), (690, 338)), ((640, 285), (375, 340)),
        ((360, 175), (390, 223)), ((500, 175), (470, 223)),
        ((140, 175), (140, 223)), ((235, 175), (310, 223)),
        ((140, 75), (140, 113)), ((300, 62), (240, 118)), ((430, 75), (430, 223)),
    ]:
        p.arrow(*points)
    p.note(620, 60, "arrow: depends on", "start")
    p.box(620, 80, 16, 16, [], "safe")
    p.note(644, 93, "cannot hold a key", "start")
    p.box(620, 104, 16, 16, [], "key")
    p.note(644, 117, "holds the key", "start")
    p.write()


def attempt():
    p = Picture("attempt", 860, 400, "A spec becomes a view; a submission becomes a result")
    p.box(30, 40, 150, 64, ["spec", "question and key"], "key")
    p.box(250, 40, 150, 64, ["deliver", "allow-list, seed"], "box")
    p.box(470, 40, 150, 64, ["view", "no key in it"], "safe")
    p.box(690, 40, 140, 64, ["learner", "answers"], "box")
    p.box(690, 210, 140, 64, ["submission", "or attempt"], "safe")
    p.box(470, 210, 150, 64, ["grader", "admit, mark, penalty"], "key")
    p.box(250, 180, 150, 54, ["result", "for the learner"], "safe")
    p.box(250, 256, 150, 54, ["explanation", "for the author"], "key")
    p.arrow((180, 72), (248, 72))
    p.arrow((400, 72), (468, 72))
    p.arrow((620, 72), (688, 72))
    p.arrow((760, 104), (760, 208))
    p.arrow((690, 242), (622, 242))
    p.arrow((470, 232), (402, 210))
    p.arrow((470, 252), (402, 280))
    p.arrow((105, 104), (105, 150), (545, 150), (545, 208))
    p.note(325, 142, "checked and compiled once")
    p.box(470, 330, 150, 54, ["a host", "runs programs"], "box")
    p.arrow((520, 274), (520, 328))
    p.arrow((570, 330), (570, 276))
    p.note(512, 306, "plan", "end")
    p.note(578, 306, "outcomes (code questions only)", "start")
    p.write()


def decision():
    p = Picture("decision", 860, 300, "How equality is decided")
    steps = [
        ("read both", "LaTeX with places"),
        ("same form?", "one exact graph"),
        ("apart?", "doubles and bounds"),
        ("field", "random exact values"),
        ("precision", "balls of up to 4,096 bits"),
    ]
    x = 14
    for at, (name, note) in enumerate(steps):
        p.box(x, 30, 152, 64, [name, note])
        if at:
            p.arrow((x - 18, 62), (x - 2, 62))
        x += 170
    for x, lines, kind in [
        (14, ["unreadable", "the place, a suggestion"], "open"),
        (184, ["proven", "equal"], "yes"),
        (354, ["refuted", "a point and both values"], "no"),
        (524, ["identity", "equal, with a bound"], "yes"),
        (694, ["agreed or refuted", "bits at many points"], "open"),
    ]:
        p.box(x, 150, 152, 60, lines, kind)
        p.arrow((x + 76, 94), (x + 76, 148))
    p.box(184, 240, 662, 40, ["undecided: the budget of work is used up; never counted as wrong"], "open")
    for x in (260, 430, 600, 770):
        p.arrow((x, 210), (x, 238))
    p.parts = [part for part in p.parts if not any(f"M{x} 210" in part for x in (260, 430, 600))]
    p.write()


for draw in (architecture, attempt, decision):
    draw()
