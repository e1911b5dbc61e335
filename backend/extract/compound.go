package extract

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/richardlehane/mscfb"
)

// compound is a compound file (OLE): streams in storages, like files in folders.
type compound struct {
	storages map[string]map[string]*mscfb.File // by path, then by name; all in capitals, for that is how they are compared
	left     int64                             // bytes that may still be read of its streams: two may share their bytes
}

func openCompound(src source) (*compound, error) {
	file, err := mscfb.New(plainReader{src})
	if err != nil {
		return nil, fmt.Errorf("the file is damaged: %w", err)
	}
	c := &compound{storages: map[string]map[string]*mscfb.File{}, left: 2 * maxMember}
	for _, f := range file.File[1:] { // the first is the file as a storage
		path := strings.ToUpper(strings.Join(f.Path, "/"))
		if c.storages[path] == nil {
			c.storages[path] = map[string]*mscfb.File{}
		}
		c.storages[path][strings.ToUpper(f.Name)] = f
	}
	return c, nil
}

// plainReader hides what else a reader can: mscfb would also write.
type plainReader struct{ io.ReaderAt }

// has says whether there is a stream or storage of a name at the top.
func (c *compound) has(name string) bool { return c.storages[""][strings.ToUpper(name)] != nil }

// stream gives the bytes of a stream, as far as they can be read; nil if there is none.
func (c *compound) stream(storage, name string) []byte {
	f := c.storages[storage][strings.ToUpper(name)]
	if f == nil || f.Size <= 0 {
		return nil
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil { // it may have been read before
		return nil
	}
	var out bytes.Buffer
	part := make([]byte, 32<<10) // mscfb's time grows with the square of what is asked for at once
	for c.left > 0 {
		n, err := f.Read(part)
		out.Write(part[:n])
		if c.left -= int64(n); err != nil || n == 0 {
			break
		}
	}
	return out.Bytes()
}
