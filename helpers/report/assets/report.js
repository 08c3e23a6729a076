// Draws every chart of the page, and draws it again when the page turns dark or light.
(function () {
  "use strict";
  var dark = window.matchMedia("(prefers-color-scheme: dark)");
  var drawn = [];

  function theme() {
    var style = getComputedStyle(document.documentElement);
    var ink = style.getPropertyValue("--ink").trim();
    var soft = style.getPropertyValue("--soft").trim();
    var line = style.getPropertyValue("--line").trim();
    var card = style.getPropertyValue("--card").trim();
    var axis = {
      axisLine: { lineStyle: { color: soft } }, axisTick: { lineStyle: { color: soft } },
      axisLabel: { color: soft }, nameTextStyle: { color: soft }, splitLine: { lineStyle: { color: line } }
    };
    return {
      backgroundColor: "transparent", textStyle: { color: ink }, categoryAxis: axis, valueAxis: axis,
      tooltip: { backgroundColor: card, borderColor: line, textStyle: { color: ink } }
    };
  }

  function draw() {
    drawn.forEach(function (chart) { chart.dispose(); });
    drawn = Array.prototype.map.call(document.querySelectorAll("script[data-chart]"), function (script) {
      var place = document.getElementById(script.getAttribute("data-chart"));
      var chart = echarts.init(place, theme(), { renderer: "canvas" });
      chart.setOption(JSON.parse(script.textContent));
      return chart;
    });
  }

  draw();
  dark.addEventListener("change", draw);
  window.addEventListener("resize", function () { drawn.forEach(function (chart) { chart.resize(); }); });
})();
