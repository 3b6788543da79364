/**
 * What makes the charts of a report file answer: plain script of any browser, without a library.
 * Charts over time show the values of all lines at the pointer or at the arrow keys' place; figures
 * show the nearest point. Legend entries are switches.
 */
export const chartScript = `
(function () {
  'use strict';
  var charts = JSON.parse(document.getElementById('charts').textContent);
  var ns = 'http://www.w3.org/2000/svg';
  function clock(ms) {
    var s = Math.floor(Math.abs(ms) / 1000),
      h = Math.floor(s / 3600),
      m = Math.floor((s % 3600) / 60),
      p = function (n) {
        return String(n).padStart(2, '0');
      };
    return (ms < 0 && s > 0 ? '\\u2212' : '') + (h > 0 ? h + ':' + p(m) : m) + ':' + p(s % 60);
  }
  function at(line, t) {
    var low = 0,
      high = line.t.length;
    while (low < high) {
      var mid = (low + high) >> 1;
      if (line.t[mid] <= t) low = mid + 1;
      else high = mid;
    }
    return low > 0 && t - line.t[low - 1] <= line.gap
      ? line.v[low - 1].toFixed(line.decimals)
      : '\\u2013';
  }
  function mark(svg, name, set) {
    var e = document.createElementNS(ns, name);
    e.setAttribute('stroke', 'currentColor');
    e.setAttribute('fill', 'none');
    for (var k in set) e.setAttribute(k, set[k]);
    svg.appendChild(e);
    return e;
  }
  document.querySelectorAll('figure[data-chart]').forEach(function (figure) {
    var chart = charts[Number(figure.dataset.chart)],
      caption = figure.querySelector('figcaption'),
      svg = figure.querySelector('svg'),
      cursor = null,
      off = {},
      box = svg.viewBox.baseVal;
    function rest() {
      t = null;
      now = null;
      if (cursor !== null) {
        cursor.remove();
        cursor = null;
      }
      caption.textContent = caption.dataset.rest;
    }
    var t = null,
      now = null;
    function showTime() {
      if (cursor === null) cursor = mark(svg, 'line', { y1: 26, y2: chart.bottom });
      var x =
        (chart.left +
          ((t - chart.x[0]) / (chart.x[1] - chart.x[0])) * (chart.right - chart.left)) *
        box.width;
      cursor.setAttribute('x1', x);
      cursor.setAttribute('x2', x);
      caption.textContent =
        clock(t) +
        '  ' +
        chart.lines
          .filter(function (l, i) {
            return !off[i];
          })
          .map(function (l) {
            return l.label + ' ' + at(l, t) + ' ' + chart.unit;
          })
          .join(', ');
    }
    function showPoint() {
      if (cursor === null) cursor = mark(svg, 'circle', { r: 8, 'stroke-width': 2 });
      cursor.setAttribute('cx', now[1]);
      cursor.setAttribute('cy', now[2]);
      caption.textContent = now[3];
    }
    function seen() {
      return chart.points.filter(function (p) {
        return !off[p[0]];
      });
    }
    function nearest(x, y, list) {
      var best = null,
        d = Infinity;
      list.forEach(function (p) {
        var e = (p[1] - x) * (p[1] - x) + (p[2] - y) * (p[2] - y);
        if (e < d) {
          d = e;
          best = p;
        }
      });
      return best;
    }
    figure.addEventListener('pointermove', function (e) {
      var size = svg.getBoundingClientRect(),
        x = (e.clientX - size.left) / size.width,
        y = (e.clientY - size.top) / size.height;
      if (y < 0 || y > 1) {
        rest();
        return;
      }
      if (chart.points) {
        now = nearest(x * box.width, y * box.height, seen());
        if (now) showPoint();
        return;
      }
      var share = (x - chart.left) / (chart.right - chart.left);
      if (share < 0 || share > 1) {
        rest();
        return;
      }
      t = chart.x[0] + share * (chart.x[1] - chart.x[0]);
      showTime();
    });
    figure.addEventListener('pointerleave', rest);
    figure.addEventListener('keydown', function (e) {
      if (e.key === 'Escape') {
        rest();
        return;
      }
      var arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End'];
      if (e.target !== figure || arrows.indexOf(e.key) < 0) return;
      caption.setAttribute('aria-live', 'polite');
      if (chart.points) {
        var list = seen(),
          i = list.indexOf(now);
        if (list.length === 0) return;
        e.preventDefault();
        if (e.key === 'ArrowUp' || e.key === 'ArrowDown') {
          var step = e.key === 'ArrowDown' ? 1 : -1,
            s = now ? now[0] + step : 0,
            last = chart.points[chart.points.length - 1][0];
          while (s >= 0 && s <= last) {
            var row = list.filter(function (p) {
              return p[0] === s;
            });
            if (row.length > 0) {
              now = now ? nearest(now[1], now[2], row) : row[0];
              break;
            }
            s += step;
          }
        } else
          now =
            e.key === 'Home'
              ? list[0]
              : e.key === 'End'
                ? list[list.length - 1]
                : list[
                    Math.min(list.length - 1, Math.max(0, i + (e.key === 'ArrowRight' ? 1 : -1)))
                  ];
        if (now) showPoint();
        return;
      }
      e.preventDefault();
      var by = (chart.x[1] - chart.x[0]) / (e.shiftKey ? 10 : 100),
        from = t === null ? chart.x[0] : t;
      t =
        e.key === 'Home'
          ? chart.x[0]
          : e.key === 'End'
            ? chart.x[1]
            : e.key === 'ArrowLeft' || e.key === 'ArrowRight'
              ? Math.min(
                  chart.x[1],
                  Math.max(chart.x[0], from + (e.key === 'ArrowRight' ? by : -by)),
                )
              : from;
      showTime();
    });
    figure.querySelectorAll('button[data-line]').forEach(function (button) {
      button.addEventListener('click', function () {
        var i = Number(button.dataset.line),
          hide = button.getAttribute('aria-pressed') === 'true';
        off[i] = hide;
        button.setAttribute('aria-pressed', String(!hide));
        rest();
        svg.querySelectorAll('[data-s="' + i + '"]').forEach(function (e) {
          e.classList.toggle('off', hide);
        });
      });
    });
  });
})();
`;
