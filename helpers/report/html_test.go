package report

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"streamgate/helpers/bundle"
)

func rendered(t *testing.T, run bundle.Run) string {
	t.Helper()
	var page bytes.Buffer
	require.NoError(t, HTML(&page, run))
	return page.String()
}

// Does the page stand alone? Whatever it would have to fetch is looked for, the policy that
// forbids fetching too, and echarts' licence, which has to come with it.
func TestHTMLStandsAlone(t *testing.T) {
	page := rendered(t, passing())
	library, err := echarts()
	require.NoError(t, err)
	assert.Contains(t, page, "Licensed to the Apache Software Foundation")
	assert.Contains(t, page, "default-src 'none'")
	own := strings.Replace(page, library, "", 1)
	require.Less(t, len(own), 200_000, "the library was found and taken out")
	assert.NotRegexp(t, `(?i)\b(src|href)\s*=|@import|url\(|https?://`, own)
}

// Can a text from outside become markup?
func TestHTMLEscapes(t *testing.T) {
	assert.NotContains(t, rendered(t, hostile()), "<script>alert(1)")
}

// Has every chart its axes named, with their units?
func TestEveryAxisHasAName(t *testing.T) {
	for name, run := range runs {
		for _, chart := range allCharts(run()) {
			content, err := json.Marshal(chart.Option)
			require.NoError(t, err)
			var option struct {
				XAxis, YAxis []struct{ Name string }
			}
			require.NoError(t, json.Unmarshal(content, &option))
			for _, axis := range append(option.XAxis, option.YAxis...) {
				assert.Regexp(t, `\((s|MB|times|share of best possible time)\)$|^(round|arm)$`, axis.Name, name+" "+chart.ID)
			}
			assert.Len(t, append(option.XAxis, option.YAxis...), 2)
			assert.NotEmpty(t, chart.Key)
		}
	}
}

// Is a curve thinned out without losing its ends?
func TestCurveKeepsItsEnds(t *testing.T) {
	r := passing().Recoveries[0]
	for len(r.Evidence.Progress) < 5*maxPoints {
		r.Evidence.Progress = append(r.Evidence.Progress, r.Evidence.Progress[len(r.Evidence.Progress)-1])
	}
	r.Evidence.Progress[len(r.Evidence.Progress)-1].After += time.Second
	data := curve(r)
	assert.LessOrEqual(t, len(data), maxPoints+1)
	first, last := r.Evidence.Progress[0], r.Evidence.Progress[len(r.Evidence.Progress)-1]
	assert.Equal(t, []any{toMillis(first.After), float(float64(first.Bytes)/1e6, 5)}, data[0].Value)
	assert.Equal(t, []any{toMillis(last.After), float(float64(last.Bytes)/1e6, 5)}, data[len(data)-1].Value)
}

// seen is what the probe found out about the page in a browser.
type seen struct {
	Errors []string
	// Charts maps each chart to the number of its pixels that are not blank.
	Charts map[string]int
	// Wide names what is wider than the window.
	Wide []string
	// Overlaps names parts of the page that lie over each other.
	Overlaps []string
	Width    int
	Dark     bool
}

// probe is put into a copy of the page: it gathers errors from the start, looks at the page
// when it has been drawn, and writes what it saw into an attribute of the page around it.
const (
	probeErrors = `<script>var errors = [];
window.onerror = function (message) { errors.push(String(message)); };
window.addEventListener("securitypolicyviolation", function (e) { errors.push("wants to load " + e.blockedURI); });
console.error = console.warn = function () { errors.push(Array.prototype.join.call(arguments, " ")); };</script>`
	probeLook = `<script>setTimeout(function () {
var found = { Errors: errors, Charts: {}, Wide: [], Overlaps: [], Width: window.innerWidth, Dark: window.matchMedia("(prefers-color-scheme: dark)").matches };
document.querySelectorAll("script[data-chart]").forEach(function (script) {
  var id = script.getAttribute("data-chart"), drawn = 0;
  document.querySelectorAll("#" + id + " canvas").forEach(function (canvas) {
    var pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
    for (var i = 3; i < pixels.length; i += 4) { if (pixels[i] > 0) { drawn++; } }
  });
  found.Charts[id] = drawn;
});
if (document.documentElement.scrollWidth > window.innerWidth) { found.Wide.push("page"); }
var parts = Array.prototype.slice.call(document.querySelectorAll("h1, h2, .reasons, .note, .key, .chart, .scroll, dl"));
var boxes = parts.map(function (part) { return part.getBoundingClientRect(); });
for (var i = 0; i < boxes.length; i++) {
  if (boxes[i].right > window.innerWidth + 1) { found.Wide.push(parts[i].className || parts[i].tagName); }
  for (var j = i + 1; j < boxes.length; j++) {
    if (boxes[i].left < boxes[j].right - 1 && boxes[j].left < boxes[i].right - 1 &&
        boxes[i].top < boxes[j].bottom - 1 && boxes[j].top < boxes[i].bottom - 1) {
      found.Overlaps.push((parts[i].className || parts[i].tagName) + " and " + (parts[j].className || parts[j].tagName));
    }
  }
}
window.parent.document.documentElement.setAttribute("data-seen", JSON.stringify(found));
}, 300);</script>`
)

// browser finds a Chromium. Without one the test fails in CI, where the set-up has to
// install it, and says so elsewhere: nobody needs a browser to work on the rest.
func browser(t *testing.T) (path string, ok bool) {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome-headless-shell"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, true
		}
	}
	require.NotEqual(t, "true", os.Getenv("CI"), "no Chromium: the set-up of CI must install the package chromium, or google-chrome-stable")
	t.Log("no Chromium here, the page is not looked at: install the package chromium")
	return "", false
}

// look opens a page of that width in the browser.
func look(t *testing.T, browser, page string, width int, flags ...string) seen {
	t.Helper()
	page = strings.Replace(page, "<style>", probeErrors+"<style>", 1)
	end := strings.LastIndex(page, "</body>")
	require.Positive(t, end)
	page = page[:end] + probeLook + page[end:]
	// In a frame, because no window of the browser is narrower than 500 px.
	page = fmt.Sprintf(`<!doctype html><meta charset="utf-8"><iframe style="border: 0" width="%d" height="2000" srcdoc="%s"></iframe>`, width, html.EscapeString(page))
	dir := t.TempDir()
	path := filepath.Join(dir, "report.html")
	require.NoError(t, os.WriteFile(path, []byte(page), 0o600))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	args := append([]string{
		"--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
		"--disable-component-update", "--disable-sync", "--user-data-dir=" + filepath.Join(dir, "profile"),
		// Not even a name can be resolved: what the page needs it must have in itself.
		"--host-resolver-rules=MAP * ~NOTFOUND", "--virtual-time-budget=3000",
		"--window-size=1400,2100", "--dump-dom",
	}, append(flags, "file://"+path)...)
	var log bytes.Buffer
	command := exec.CommandContext(ctx, browser, args...)
	command.Stderr = &log
	// A helper of the browser that outlives it must not keep the test waiting for its output.
	command.WaitDelay = 5 * time.Second
	dom, err := command.Output()
	require.NoError(t, err, log.String())
	attribute := regexp.MustCompile(`data-seen="([^"]*)"`).FindSubmatch(dom)
	require.NotNil(t, attribute, "the probe did not come to its end in %d bytes", len(dom))
	var found seen
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(string(attribute[1]))), &found))
	return found
}

// Does the page render in a real browser, on a desktop and on a phone, in light and in
// dark: no errors, nothing blank, nothing wider than the window, nothing over another?
func TestHTMLInABrowser(t *testing.T) {
	chromium, ok := browser(t)
	if !ok {
		return
	}
	for _, c := range []struct {
		name   string
		run    bundle.Run
		width  int
		charts int
		flags  []string
	}{
		{"desktop", passing(), 1280, 5, nil},
		{"phone", passing(), 390, 5, nil},
		{"dark", failing(), 1280, 5, []string{"--blink-settings=preferredColorScheme=0"}},
		{"hostile on a phone", hostile(), 390, 5, nil},
		{"without recoveries", narrow(), 1280, 0, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := look(t, chromium, rendered(t, c.run), c.width, c.flags...)
			assert.Empty(t, found.Errors)
			assert.Len(t, found.Charts, c.charts)
			for id, pixels := range found.Charts {
				// Axes and their names alone are some 2,000 pixels.
				assert.Greater(t, pixels, 3000, "chart %s is blank", id)
			}
			assert.Empty(t, found.Wide)
			assert.Empty(t, found.Overlaps)
			assert.Equal(t, c.width, found.Width)
			assert.Equal(t, c.name == "dark", found.Dark)
		})
	}
}

// Does the look at the page find what is wrong with one? Each row breaks it on purpose.
func TestProbeFindsABrokenPage(t *testing.T) {
	chromium, ok := browser(t)
	if !ok {
		return
	}
	for name, c := range map[string]struct {
		old, replacement string
		found            func(seen) bool
	}{
		"a script that fails":    {"draw();\n  dark", "draw();\n  nothing();\n  dark", func(s seen) bool { return len(s.Errors) > 0 }},
		"a chart without data":   {"chart.setOption(JSON.parse(script.textContent));", "", func(s seen) bool { return s.Charts["times"] < 3000 }},
		"a script from a server": {"</header>", `</header><script src="https://example.com/x.js"></script>`, func(s seen) bool { return len(s.Errors) > 0 }},
		"a part too wide":        {".chart { width: 100%", ".chart { width: 3000px", func(s seen) bool { return len(s.Wide) > 0 }},
		"a part over another":    {".chart { width", ".chart { margin-top: -60px; width", func(s seen) bool { return len(s.Overlaps) > 0 }},
	} {
		t.Run(name, func(t *testing.T) {
			page := rendered(t, passing())
			require.Contains(t, page, c.old)
			found := look(t, chromium, strings.Replace(page, c.old, c.replacement, 1), 1280)
			assert.True(t, c.found(found), "%+v", found)
		})
	}
}
