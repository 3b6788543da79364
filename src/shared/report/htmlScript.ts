/** What makes the charts of a report file answer: plain script of any browser, without a library. */
export const chartScript = `
(function () {
  'use strict';
  var charts = JSON.parse(document.getElementById('charts').textContent);
  function clock(ms) { var s = Math.floor(Math.abs(ms) / 1000), h = Math.floor(s / 3600), m = Math.floor(s % 3600 / 60), p = function (n) { return String(n).padStart(2, '0'); }; return (ms < 0 && s > 0 ? '\\u2212' : '') + (h > 0 ? h + ':' + p(m) : m) + ':' + p(s % 60); }
  function at(line, t) {
    var low = 0, high = line.t.length;
    while (low < high) { var mid = (low + high) >> 1; if (line.t[mid] <= t) low = mid + 1; else high = mid; }
    return low > 0 && t - line.t[low - 1] <= line.gap ? line.v[low - 1].toFixed(line.decimals) : '\\u2013';
  }
  document.querySelectorAll('figure[data-chart]').forEach(function (figure) {
    var chart = charts[Number(figure.dataset.chart)], caption = figure.querySelector('figcaption'), svg = figure.querySelector('svg'), cursor = null, t = null;
    function show() {
      if (cursor === null) { cursor = document.createElementNS('http://www.w3.org/2000/svg', 'line'); cursor.setAttribute('stroke', '#5a606b'); cursor.setAttribute('y1', '26'); cursor.setAttribute('y2', '216'); svg.appendChild(cursor); }
      var x = (chart.left + (t - chart.x[0]) / (chart.x[1] - chart.x[0]) * (chart.right - chart.left)) * svg.viewBox.baseVal.width;
      cursor.setAttribute('x1', x); cursor.setAttribute('x2', x);
      caption.textContent = clock(t) + '  ' + chart.lines.map(function (l) { return l.label + ' ' + at(l, t) + ' ' + chart.unit; }).join(', ');
    }
    function rest() { t = null; if (cursor !== null) { cursor.remove(); cursor = null; } caption.textContent = caption.dataset.rest; }
    figure.addEventListener('pointermove', function (e) { var box = svg.getBoundingClientRect(), share = ((e.clientX - box.left) / box.width - chart.left) / (chart.right - chart.left); if (share < 0 || share > 1) { rest(); return; } t = chart.x[0] + share * (chart.x[1] - chart.x[0]); show(); });
    figure.addEventListener('pointerleave', rest);
    figure.addEventListener('keydown', function (e) {
      var step = (chart.x[1] - chart.x[0]) / (e.shiftKey ? 10 : 100);
      if (e.key === 'Escape') { rest(); return; }
      if (e.key !== 'ArrowLeft' && e.key !== 'ArrowRight') return;
      e.preventDefault();
      t = Math.min(chart.x[1], Math.max(chart.x[0], (t === null ? chart.x[0] : t) + (e.key === 'ArrowRight' ? step : -step)));
      caption.setAttribute('aria-live', 'polite');
      show();
    });
  });
})();
`;
