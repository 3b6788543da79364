package files

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestADataSetIsMadePutBackAndRemovedWithNothingOfOthers(t *testing.T) {
	o := optionsOf(t, "")
	if got := blamed(Verify(o)); got != "files" {
		t.Fatalf("an empty folder: %q", got)
	}
	first := loaded(t, o)
	if first.Files != 12 || first.Bytes != 12*64<<10 || first.Written != 12 || first.Sha256 == "" {
		t.Fatalf("%+v", first)
	}
	if err := Verify(o); err != nil {
		t.Fatal(err)
	}
	// What a run changed, made, lost, and what somebody else put there.
	folder := filepath.Join(o.Folder, userFolder(1))
	for name, text := range map[string]string{setFile(0): "x", madeFile("abc", 7): "y", "mine.txt": "z"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Remove(filepath.Join(folder, setFile(2))); err != nil {
		t.Fatal(err)
	}
	if got := blamed(Verify(o)); got != "files" {
		t.Fatalf("a damaged set: %q", got)
	}
	second := loaded(t, o)
	if second.Kept != 10 || second.Written != 2 || second.Removed != 1 || second.Others != 1 || second.Sha256 != first.Sha256 {
		t.Fatalf("%+v", second)
	}
	// Another size takes the place of the first.
	smaller := *o
	smaller.Files = 2
	if summary := loaded(t, &smaller); summary.Files != 6 || summary.Others != 1 {
		t.Fatalf("%+v", summary)
	}
	gone, err := Unload(&smaller)
	if err != nil || gone.Removed != 6 || gone.Others != 1 {
		t.Fatalf("%+v %v", gone, err)
	}
	if text, err := os.ReadFile(filepath.Join(folder, "mine.txt")); err != nil || string(text) != "z" {
		t.Fatal(err)
	}
	if again, err := Unload(o); err != nil || again.Removed != 0 {
		t.Fatalf("%+v %v", again, err)
	}
	// Where the folder stood there before, it stays.
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	loaded(t, &smaller)
	if _, err := Unload(&smaller); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(o.Folder); err != nil || len(left) != 0 {
		t.Fatal(left, err)
	}
}

func TestAFolderOfSomebodyElseAndAForgedMarkerAreRefused(t *testing.T) {
	o := optionsOf(t, "")
	if err := os.Mkdir(o.Folder, 0o700); err != nil {
		t.Fatal(err)
	}
	mine := filepath.Join(o.Folder, "mine.txt")
	if err := os.WriteFile(mine, []byte("z"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(o, "test"); blamed(err) != "folder" {
		t.Fatal(err)
	}
	if got := blamed(Verify(o)); got != "folder" {
		t.Fatal(got)
	}
	for _, text := range []string{`x`, `{"users":-1,"files":1,"fileKb":4}`, `{"users":1,"files":1,"fileKb":4,"remove":["/etc"]}`, strings.Repeat("x", mostOfMarker+1)} {
		if err := os.WriteFile(filepath.Join(o.Folder, markerName), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Unload(o); blamed(err) != "folder" {
			t.Errorf("%.40s: %v", text, err)
		}
	}
	if _, err := os.Stat(mine); err != nil {
		t.Fatal(err)
	}
	// A folder of the set that is a link leads nowhere.
	if err := os.RemoveAll(o.Folder); err != nil {
		t.Fatal(err)
	}
	loaded(t, o)
	other := t.TempDir()
	precious := filepath.Join(other, setFile(0))
	if err := os.WriteFile(precious, []byte("precious"), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(o.Folder, userFolder(0))
	if err := os.RemoveAll(folder); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(other, folder); err != nil {
		t.Fatal(err)
	}
	_, loads := Load(o, "test")
	_, unloads := Unload(o)
	if loads == nil || unloads == nil {
		t.Fatal("a link was followed")
	}
	if text, err := os.ReadFile(precious); err != nil || string(text) != "precious" {
		t.Fatal(err)
	}
}
