package files

import (
	"tilekit/internal/record"
	"tilekit/internal/smb"
)

// opened file of a user; its size is held against what is known, and known from now on.
func (u *user) opened(file *kept, how smb.How) (handle, error) {
	opened, err := u.in.open(u.path(file.name), how)
	if err != nil {
		return nil, err
	}
	size := opened.size()
	if file.size == 0 && size%unit == 0 && size >= bytesOf(u.s.o.FileKB) {
		file.size = size
	}
	if size != file.size {
		_ = opened.close()
		return nil, errContent
	}
	return opened, nil
}

// done with a file: the first failure counts. A connection that failed is not asked once more.
func done(file handle, err error) error {
	if !isUsable(err) {
		return err
	}
	if last := file.close(); err == nil || !isUsable(last) {
		return last
	}
	return err
}

func (u *user) buffer(bytes int64) []byte {
	if int64(len(u.block)) < bytes {
		u.block = make([]byte, bytes)
	}
	return u.block[:bytes]
}

func (f *kept) remember(first, units int, generation uint32) {
	for len(f.generations) < first+units {
		f.generations = append(f.generations, 0)
	}
	for i := first; i < first+units; i++ {
		f.generations[i] = generation
	}
}

// readPart reads and holds it against what was written.
func (u *user) readPart(from handle, file *kept, at, bytes int64, out *record.Outcome) error {
	part := u.buffer(bytes)
	if err := from.readAt(part, at); err != nil {
		return err
	}
	out.Counts["readBytes"] += bytes
	for k := int64(0); k < bytes; k += unit {
		number := int((at + k) / unit)
		generation, err := generationOf(part[k:k+unit], u.index, file.id, number)
		if err != nil {
			return err
		}
		if number >= len(file.generations) {
			file.remember(number, 1, 0)
		}
		if was := file.generations[number]; was != 0 && was != generation {
			return errContent
		}
		file.generations[number] = generation
	}
	return nil
}

func (u *user) read(file *kept, out *record.Outcome) error {
	from, err := u.opened(file, smb.Read)
	if err != nil {
		return err
	}
	block := bytesOf(u.s.o.BlockKB)
	for at := int64(0); err == nil && at < file.size; at += block {
		err = u.readPart(from, file, at, least(block, file.size-at), out)
	}
	return done(from, err)
}

// place of a block of so many bytes, at a whole unit.
func (u *user) place(file *kept, bytes int64) int64 {
	return u.random.Int63n((file.size-bytes)/unit+1) * unit
}

func (u *user) readRandom(file *kept, out *record.Outcome) error {
	from, err := u.opened(file, smb.Read)
	if err != nil {
		return err
	}
	block := bytesOf(u.s.o.RandomKB)
	for i := 0; err == nil && i < u.s.o.RandomBlocks; i++ {
		err = u.readPart(from, file, u.place(file, block), block, out)
	}
	return done(from, err)
}

// writePart writes; until the server has taken it, nobody knows which writing is there.
func (u *user) writePart(to handle, file *kept, at, bytes int64, out *record.Outcome) error {
	part, first, units := u.buffer(bytes), int(at/unit), int(bytes/unit)
	u.generation++
	fill(part, u.index, file.id, first, u.generation)
	file.remember(first, units, 0)
	written, err := to.writeAt(part, at)
	out.Counts["writtenBytes"] += int64(written)
	if err == nil {
		file.remember(first, units, u.generation)
	}
	return err
}

// writeAll writes from a place to an end, in blocks.
func (u *user) writeAll(to handle, file *kept, at, end int64, out *record.Outcome) error {
	block := bytesOf(u.s.o.BlockKB)
	for ; at < end; at += block {
		if err := u.writePart(to, file, at, least(block, end-at), out); err != nil {
			return err
		}
	}
	return u.flushed(to)
}

func (u *user) flushed(to handle) error {
	if u.s.o.Flush {
		return to.flush()
	}
	return nil
}

// write a whole file; one that is not known to be whole is replaced.
func (u *user) write(file *kept, out *record.Outcome) error {
	if file.unsure {
		return u.replace(file, smb.Replace, out)
	}
	to, err := u.opened(file, smb.Write)
	if err != nil {
		return err
	}
	return done(to, u.writeAll(to, file, 0, file.size, out))
}

func (u *user) replace(file *kept, how smb.How, out *record.Outcome) error {
	file.unsure = true
	to, err := u.in.open(u.path(file.name), how)
	if err != nil {
		return err
	}
	file.size = bytesOf(u.s.o.FileKB)
	file.generations = nil
	if err := done(to, u.writeAll(to, file, 0, file.size, out)); err != nil {
		return err
	}
	file.unsure = false
	return nil
}

func (u *user) writeRandom(file *kept, out *record.Outcome) error {
	to, err := u.opened(file, smb.Write)
	if err != nil {
		return err
	}
	block := bytesOf(u.s.o.RandomKB)
	for i := 0; err == nil && i < u.s.o.RandomBlocks; i++ {
		err = u.writePart(to, file, u.place(file, block), block, out)
	}
	if err == nil {
		err = u.flushed(to)
	}
	return done(to, err)
}

func (u *user) append(file *kept, out *record.Outcome) error {
	more := bytesOf(u.s.o.AppendKB)
	if file.size+more > mostGrowth*bytesOf(u.s.o.FileKB)+more {
		return u.replace(file, smb.Replace, out)
	}
	to, err := u.opened(file, smb.Write)
	if err != nil {
		return err
	}
	file.unsure = true
	if err := done(to, u.writeAll(to, file, file.size, file.size+more, out)); err != nil {
		return err
	}
	file.size += more
	file.unsure = false
	return nil
}

func (u *user) create(out *record.Outcome) error {
	u.number++
	file := &kept{name: madeFile(u.s.run, u.number), id: firstMade + u.number}
	if err := u.replace(file, smb.Create, out); err != nil {
		if isUsable(err) {
			// What was written of it takes room; where it cannot go now, load or unload takes it.
			_ = u.in.remove(u.path(file.name))
		}
		return err
	}
	u.files = append(u.files, file)
	out.Counts["created"]++
	return nil
}

// remove the oldest of those that were made.
func (u *user) remove(out *record.Outcome) error {
	first := u.s.o.Files
	if len(u.files) <= first {
		out.Counts["nothingToDo"]++
		return u.create(out)
	}
	name := u.files[first].name
	// Whatever comes of it, it is worked on no more.
	u.files = append(u.files[:first], u.files[first+1:]...)
	if err := u.in.remove(u.path(name)); err != nil {
		return err
	}
	out.Counts["deleted"]++
	if len(u.gone) >= mostGone {
		u.gone = map[string]bool{}
	}
	u.gone[name] = true
	return nil
}

// list the folder: all that is known to be there is, in its size, and nothing that was removed.
func (u *user) list() error {
	found, err := u.in.list(userFolder(u.index))
	if err != nil {
		return err
	}
	for _, one := range u.files {
		about, there := found[one.name]
		if one.unsure {
			continue
		}
		if !there || about.folder || one.size != 0 && about.size != one.size {
			return errContent
		}
	}
	for name := range u.gone {
		if _, there := found[name]; there {
			return errContent
		}
	}
	return nil
}

func (u *user) stat(file *kept) error {
	about, err := u.in.stat(u.path(file.name))
	if err != nil {
		return err
	}
	if about.folder || file.size != 0 && about.size != file.size {
		return errContent
	}
	return nil
}
