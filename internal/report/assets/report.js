"use strict";
// Draws the charts of the page with uPlot from the numbers in #charts. Dragging
// zooms, in all charts of a phase over time; a double click resets; a click on a
// name in the legend hides its line.
(function () {
  const colors = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"];
  const dashes = [[], [8, 4], [3, 3], [10, 4, 3, 4]];
  const charts = JSON.parse(document.getElementById("charts").textContent);
  const css = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const number = new Intl.NumberFormat("en", { maximumSignificantDigits: 6 });
  const drawn = [];

  const color = (line) => colors[line.color % colors.length];
  const dash = (line) => dashes[(line.dash + Math.floor(line.color / colors.length)) % dashes.length];
  // A point between two gaps has no line: it is marked, or it could not be seen.
  // What join has put in for the times of other lines is undefined, a gap is null.
  function lone(u, series) {
    const y = u.data[series], known = (i, step) => {
      for (i += step; i >= 0 && i < y.length; i += step) if (y[i] !== undefined) return y[i] !== null;
      return false;
    };
    const found = [];
    for (let i = 0; i < y.length; i++) if (y[i] != null && !known(i, -1) && !known(i, 1)) found.push(i);
    return found;
  }
  const isLog = (axis) => axis.scale === "log";
  const usable = (axis, v) => v === null || (isLog(axis) && v <= 0) ? null : v;
  const percent = (nines) => {
    const text = (100 * (1 - Math.pow(10, -nines))).toFixed(Math.max(0, Math.ceil(nines) - 2));
    return text + " %";
  };
  const text = (axis, v) => v == null ? "" : axis.scale === "nines" ? percent(v) : number.format(v);

  // Lines of one chart have points at times of their own: they are joined over
  // all of them, so that a missing one is no gap.
  function data(c) {
    if (c.heat) {
      const times = [], low = [], high = [];
      c.heat.counts.forEach((_, i) => {
        times.push(c.heat.start + i * c.heat.step);
        low.push(null);
        high.push(null);
      });
      return [times, low];
    }
    return uPlot.join(c.lines.map((l) => [
      l.xy.map((p) => p[0]),
      l.xy.map((p) => usable(c.y, p[1])),
    ]));
  }

  // A path whose X does not rise is drawn by hand, in the order of its points.
  const winding = (c) => c.lines && c.lines.some((l) => l.xy.some((p, i) => i > 0 && p[0] < l.xy[i - 1][0]));

  function drawWinding(u, c) {
    const ctx = u.ctx;
    ctx.save();
    ctx.lineWidth = 1.5 * devicePixelRatio;
    c.lines.forEach((l, n) => {
      if (!u.series[n + 1].show) return;
      ctx.strokeStyle = color(l);
      ctx.beginPath();
      l.xy.filter((p) => p[0] !== null && usable(c.y, p[1]) !== null).forEach((p, i) => {
        const x = u.valToPos(p[0], "x", true), y = u.valToPos(p[1], "y", true);
        if (i === 0) ctx.moveTo(x, y); else ctx.lineTo(x, y);
      });
      ctx.stroke();
    });
    ctx.restore();
  }

  const hasBars = (c) => Boolean(c.lines) && c.lines.some((l) => l.xy.some((p) => p.length > 2));

  // An error bar reaches from the low to the high end of a point.
  function drawBars(u, c) {
    const ctx = u.ctx, box = u.bbox, half = 2 * devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(box.left, box.top, box.width, box.height);
    ctx.clip();
    ctx.globalAlpha = 0.45;
    ctx.lineWidth = devicePixelRatio;
    c.lines.forEach((l, n) => {
      if (!u.series[n + 1].show) return;
      ctx.strokeStyle = color(l);
      ctx.beginPath();
      l.xy.filter((p) => p.length > 2 && usable(c.y, p[1]) !== null).forEach((p) => {
        const x = u.valToPos(p[0], "x", true);
        const low = u.valToPos(Math.max(p[2], u.scales.y.min), "y", true), high = u.valToPos(p[3], "y", true);
        ctx.moveTo(x, low);
        ctx.lineTo(x, high);
        [low, high].forEach((y) => {
          ctx.moveTo(x - half, y);
          ctx.lineTo(x + half, y);
        });
      });
      ctx.stroke();
    });
    ctx.restore();
  }

  // The ends of all bars, so that none is cut off.
  function ends(c) {
    const all = c.lines.flatMap((l) => l.xy.flatMap((p) => p.slice(1))).filter((v) => usable(c.y, v) !== null);
    return [Math.min(...all), Math.max(...all)];
  }

  const latency = (bin) => Math.pow(2, bin / 4) / 1e6;

  function mix(from, to, share) {
    const part = (hex, i) => parseInt(hex.slice(1 + 2 * i, 3 + 2 * i), 16);
    return "rgb(" + [0, 1, 2].map((i) => Math.round(part(from, i) + share * (part(to, i) - part(from, i)))).join(",") + ")";
  }

  function drawHeat(u, h) {
    const ctx = u.ctx, most = Math.log1p(Math.max(...h.counts.map((col) => Math.max(...col))));
    const light = css("--light"), dark = css("--dark"), box = u.bbox;
    ctx.save();
    ctx.beginPath();
    ctx.rect(box.left, box.top, box.width, box.height);
    ctx.clip();
    h.counts.forEach((column, i) => {
      const left = u.valToPos(h.start + i * h.step, "x", true), right = u.valToPos(h.start + (i + 1) * h.step, "x", true);
      column.forEach((n, j) => {
        if (n === 0) return;
        const bottom = u.valToPos(latency(h.low + j), "y", true), top = u.valToPos(latency(h.low + j + 1), "y", true);
        ctx.fillStyle = mix(light, dark, Math.log1p(n) / most);
        ctx.fillRect(left, top, Math.max(1, right - left), Math.max(1, bottom - top));
      });
    });
    ctx.restore();
  }

  function drawEvents(u, events) {
    const ctx = u.ctx, box = u.bbox;
    ctx.save();
    ctx.setLineDash([2, 4]);
    events.forEach((e) => {
      const x = u.valToPos(e.at, "x", true);
      if (x < box.left || x > box.left + box.width) return;
      ctx.strokeStyle = colors[e.color % colors.length];
      ctx.beginPath();
      ctx.moveTo(x, box.top);
      ctx.lineTo(x, box.top + box.height);
      ctx.stroke();
    });
    ctx.restore();
  }

  // What an event is, is told where the pointer is near its line.
  function nameEvents(u, events) {
    u.over.addEventListener("mousemove", (m) => {
      u.over.title = events.filter((e) => Math.abs(u.valToPos(e.at, "x") - m.offsetX) < 4).map((e) => e.text).join("\n");
    });
  }

  function axes(c) {
    const common = { stroke: () => css("--ink"), grid: { stroke: () => css("--line"), width: 1 }, ticks: { stroke: () => css("--line"), width: 1 } };
    const x = Object.assign({ label: c.x.label, values: (u, list) => list.map((v) => text(c.x, v)) }, common);
    const y = Object.assign({ label: c.y.label, size: 70, values: (u, list) => list.map((v) => text(c.y, v)) }, common);
    if (c.x.scale === "nines") {
      x.splits = (u, i, low, high) => (high < 4 ? [0, 0.30103] : [0]).concat(Array.from({ length: Math.floor(high) }, (_, k) => k + 1)).filter((v) => v >= low && v <= high);
      x.filter = (u, splits) => splits;
    }
    if (isLog(c.y)) Object.assign(y, { splits: digits, filter: few });
    if (isLog(c.x)) Object.assign(x, { splits: digits, filter: few });
    return [x, y];
  }

  // The divisions of a log scale are 1 to 9 of each power of ten, also where the
  // scale does not begin at one of them.
  function digits(u, axis, low, high) {
    const list = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); power++) {
      for (let digit = 1; digit < 10; digit++) {
        const v = Number((digit * Math.pow(10, power)).toPrecision(6));
        if (v >= low && v <= high) list.push(v);
      }
    }
    return list;
  }

  // On a log scale powers of ten are labelled, and 2 and 5 where those are few.
  function few(u, splits) {
    const digit = (v) => Number((v / Math.pow(10, Math.floor(Math.log10(v) + 1e-9))).toPrecision(6));
    const tens = splits.filter((v) => digit(v) === 1);
    const keep = tens.length > 3 ? [1] : [1, 2, 5];
    return splits.map((v) => keep.includes(digit(v)) ? v : null);
  }

  // The range of an axis takes whole cells of a heat map in, and begins at zero
  // where it is linear.
  function scales(c) {
    const x = { time: false, distr: isLog(c.x) ? 3 : 1 };
    const y = { distr: isLog(c.y) ? 3 : 1 };
    if (c.heat) {
      const h = c.heat;
      y.range = [latency(h.low), latency(h.low + h.counts[0].length)];
    } else if (hasBars(c)) {
      const [low, high] = ends(c);
      y.range = isLog(c.y) ? [low / 1.2, high * 1.2] : [0, high * 1.05 || 1];
    } else if (!isLog(c.y)) {
      y.range = (u, low, high) => [Math.min(0, low || 0), high ? high * 1.05 : 1];
    }
    if (c.time && !c.heat) x.range = (u, low, high) => low === high ? [low - 1, high + 1] : [low, high];
    return { x, y };
  }

  function options(c, width) {
    const byHand = winding(c);
    const lines = c.heat ? [{ show: false }] : c.lines.map((l) => ({
      label: l.label, stroke: color(l), width: 1.5, dash: dash(l), value: (u, v) => text(c.y, v),
      points: l.marks ? { show: true, size: 6 } : { show: false, size: 5, filter: lone, fill: color(l) }, paths: byHand ? () => null : undefined,
    }));
    return {
      width, height: 300, padding: [10, 30, 0, 0], scales: scales(c), axes: axes(c),
      series: [{ label: c.time ? "time (s)" : c.x.label, value: (u, v) => text(c.x, v) }].concat(lines),
      legend: { show: !c.heat },
      cursor: c.time ? { sync: { key: c.phase, scales: ["x", null], setSeries: false } } : {},
      hooks: { draw: [(u) => {
        if (c.heat) drawHeat(u, c.heat);
        if (byHand) drawWinding(u, c);
        if (hasBars(c)) drawBars(u, c);
        if (c.events) drawEvents(u, c.events);
      }] },
    };
  }

  // What the drawing can't say of itself.
  function note(c, box) {
    const kinds = new Set((c.events || []).map((e) => e.text));
    const said = c.heat ? ["the stronger the colour, the more requests (log scale)"] : [];
    if (kinds.size > 0) said.push("dotted: " + Array.from(kinds).slice(0, 6).join(", ") + (kinds.size > 6 ? ", ..." : ""));
    const line = document.createElement("div");
    line.className = "faint";
    line.textContent = said.join("; ");
    if (said.length > 0) box.parentNode.append(line);
  }

  charts.forEach((c, i) => {
    const box = document.getElementById("chart-" + i);
    const plot = new uPlot(options(c, box.clientWidth), data(c), box);
    if (c.events) nameEvents(plot, c.events);
    note(c, box);
    drawn.push({ box, plot });
  });
  addEventListener("resize", () => drawn.forEach((d) => d.plot.setSize({ width: d.box.clientWidth, height: 300 })));
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawn.forEach((d) => d.plot.redraw()));
  document.body.dataset.drawn = drawn.length;
})();
