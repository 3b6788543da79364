package files

import "time"

// Unload removes what the marker names and what runs made beside it, and folders that are then empty.
// Fine where there is none.
func Unload(o *Options) (*Summary, error) {
	began := time.Now()
	password, err := o.secret()
	if err != nil {
		return nil, err
	}
	in, err := o.enter(password)
	if err != nil {
		return nil, err
	}
	defer in.close()
	marker, err := readMarker(in)
	if err != nil {
		return nil, o.about(err)
	}
	if marker == nil {
		return &Summary{}, nil
	}
	total, err := o.clear(in, password, marker)
	if total != nil {
		total.Seconds = time.Since(began).Seconds()
	}
	return total, err
}

// clear takes away what a marker names, and at last the marker.
func (o *Options) clear(in store, password string, marker *Marker) (*Summary, error) {
	total, set := &Summary{}, *o
	set.Files = marker.Files
	if err := o.each(password, marker.Users, total, func(user int, in store) (Summary, error) {
		return set.empty(userFolder(user), in)
	}); err != nil {
		return nil, err
	}
	if err := in.deadline(time.Now().Add(loadStep)); err != nil {
		return nil, err
	}
	if err := in.remove(markerName); err != nil {
		return nil, err
	}
	if marker.Folder {
		if left, err := in.list(""); err != nil {
			return nil, err
		} else if len(left) == 0 {
			return total, in.removeFolder("")
		}
	}
	return total, nil
}

func (o *Options) empty(folder string, in store) (Summary, error) {
	one := Summary{}
	found, err := in.list(folder)
	if isMissing(err) {
		return one, nil
	}
	if err != nil {
		return one, err
	}
	one.Users = 1
	for name, about := range found {
		if about.folder || !madePattern.MatchString(name) && !o.names(name) {
			one.Others++
			continue
		}
		if err := in.remove(folder + "/" + name); err != nil && !isMissing(err) {
			return one, err
		}
		one.Removed++
	}
	if one.Others > 0 {
		// A folder that still holds something is somebody's: it stays.
		return one, nil
	}
	return one, in.removeFolder(folder)
}
