package issues

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"streamgate/fixtures/corpus"
	"streamgate/helpers/await"
	"streamgate/helpers/osapi"
	"streamgate/helpers/recovery"
)

// merge force-merges an index into one segment and returns its bench with the files that a
// replica fetches now. The files of what was merged away stay in the store for a while.
func (s *scenario) merge(bench recovery.Bench) recovery.Bench {
	s.t.Helper()
	api := s.stack.API
	require.NoError(s.t, api.Do(s.ctx, http.MethodPost, "/"+bench.Index+"/_forcemerge", url.Values{"max_num_segments": {"1"}}, nil, nil))
	require.NoError(s.t, api.Refresh(s.ctx, bench.Index)) // what uploads the merged segment
	require.NoError(s.t, corpus.Settle(s.ctx, api, bench.Index))
	copies, err := api.Segments(s.ctx, bench.Index)
	require.NoError(s.t, err)
	require.Len(s.t, copies, 1)
	require.Len(s.t, copies[0].Segments, 1, "force-merged")
	settings, err := api.IndexSettings(s.ctx, bench.Index)
	require.NoError(s.t, err)
	files, err := corpus.RemoteFiles(s.ctx, s.stack.Store.Objects, settings["index.uuid"])
	require.NoError(s.t, err)
	for name := range copies[0].Segments {
		bench.Files = slices.DeleteFunc(files, func(file recovery.File) bool {
			return !strings.HasPrefix(file.Name, name+".") && !strings.HasPrefix(file.Name, name+"_")
		})
	}
	require.NotEmpty(s.t, bench.Files)
	return bench
}

// settingsWith names the cluster settings that the node knows and that contain a text.
func (s *scenario) settingsWith(text string) []string {
	s.t.Helper()
	var layers map[string]map[string]any
	query := url.Values{"include_defaults": {"true"}, "flat_settings": {"true"}}
	require.NoError(s.t, s.stack.API.Do(s.ctx, http.MethodGet, "/_cluster/settings", query, nil, &layers))
	var names []string
	for name := range layers["defaults"] {
		if strings.Contains(name, text) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// recoveryType is what the recovery API calls the way in which the replica was made.
func (s *scenario) recoveryType(bench recovery.Bench) string {
	s.t.Helper()
	recoveries, err := s.stack.API.Recoveries(s.ctx, bench.Index)
	require.NoError(s.t, err)
	for _, r := range recoveries {
		if r.Target.ID == bench.Target.ID {
			return r.Type
		}
	}
	return fmt.Sprintf("no recovery on %s", bench.Target.Name)
}

// started waits until the replica on node-2 is STARTED.
func (s *scenario) started(bench recovery.Bench) bool {
	s.t.Helper()
	err := await.Until(s.ctx, "the replica is STARTED", recoveryLimit, 100*time.Millisecond, func(ctx context.Context) (bool, string, error) {
		copies, err := s.stack.API.ShardCopies(ctx, bench.Index)
		return slices.ContainsFunc(copies, func(c osapi.ShardCopy) bool { return c.Node == bench.Target.ID && c.State == "STARTED" }), "", err
	})
	require.NoError(s.t, err)
	return true
}
