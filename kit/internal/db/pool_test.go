package db

import (
	"context"
	"testing"
	"time"
)

func TestWhoFindsNoConnectionFreeWaitsAndThenGoes(t *testing.T) {
	p := NewPool(Target{Kind: MySQL, Address: "127.0.0.1:1"}, 1)
	p.free <- struct{}{}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := p.Take(ctx, time.Now().Add(time.Minute)); err != ErrBusy {
		t.Error(err)
	}
	<-p.free
	// One that cannot log in takes no place.
	for i := 0; i < 3; i++ {
		if _, err := p.Take(context.Background(), time.Now().Add(time.Minute)); err == nil || err == ErrBusy {
			t.Error(err)
		}
	}
}
