package faults

import (
	"context"
	"errors"
	"sync"
	"time"
)

// actLimit bounds one act.
const actLimit = 60 * time.Second

// striker does a fault once, and undoes it once.
type striker struct {
	fault fault
	stand *stand

	once    sync.Once
	healing sync.WaitGroup
	mutex   sync.Mutex
	done    bool
	err     error
}

func newStriker(f fault, s *stand) *striker { return &striker{fault: f, stand: s} }

// strike does it, the first time it is called, and lets it heal when its time has come.
func (f *striker) strike(ctx context.Context) error {
	f.once.Do(func() {
		f.note(true, f.do(ctx, f.fault.strike))
		if f.fault.heal == nil || f.fault.last == 0 {
			return
		}
		f.healing.Go(func() {
			select {
			case <-time.After(f.fault.last):
			case <-ctx.Done():
			}
			f.note(true, f.do(ctx, f.fault.heal))
		})
	})
	_, err := f.struck()
	return err
}

// wait ends the fault: one that heals by itself has healed, any other is healed now.
func (f *striker) wait() error {
	f.healing.Wait()
	if struck, _ := f.struck(); struck && f.fault.heal != nil && f.fault.last == 0 {
		f.note(true, f.do(context.Background(), f.fault.heal))
	}
	_, err := f.struck()
	return err
}

// struck tells whether it was done, and what went wrong with it.
func (f *striker) struck() (bool, error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	return f.done, f.err
}

func (f *striker) note(done bool, err error) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	f.done, f.err = done, errors.Join(f.err, err)
}

// do does an act also when the scenario's context has ended: what was broken must be healed.
func (f *striker) do(ctx context.Context, what act) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), actLimit)
	defer cancel()
	return what(ctx, f.stand)
}
