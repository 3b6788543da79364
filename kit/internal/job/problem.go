package job

import (
	"fmt"
	"os"
	"strings"
)

// Problem is what is wrong, in words, and the option it is likeliest about.
type Problem struct {
	Blames string
	Text   string
}

func (p *Problem) Error() string { return p.Text }

// Secret is the first line of a file that nobody else may read; ” is no file and no secret. An error
// is a *Problem with passwordFile.
func Secret(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", &Problem{"passwordFile", fmt.Sprintf("the password file cannot be read: %v", err)}
	}
	if info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		return "", &Problem{"passwordFile", fmt.Sprintf("others may read the password file %s: chmod 600 it", path)}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", &Problem{"passwordFile", fmt.Sprintf("the password file cannot be read: %v", err)}
	}
	return strings.TrimRight(strings.SplitN(string(text), "\n", 2)[0], "\r"), nil
}
