package smb

import "fmt"

// Answers of a server that mean something here (MS-ERREF).
const (
	statusOK             = 0
	statusPending        = 0x00000103
	statusNoMoreFiles    = 0x80000006
	statusInvalid        = 0xC000000D
	statusEndOfFile      = 0xC0000011
	statusMore           = 0xC0000016
	statusDenied         = 0xC0000022
	statusNoName         = 0xC0000034
	statusCollision      = 0xC0000035
	statusNoPath         = 0xC000003A
	statusQuota          = 0xC0000044
	statusLogOn          = 0xC000006D
	statusRestricted     = 0xC000006E
	statusExpired        = 0xC0000071
	statusDisabled       = 0xC0000072
	statusFull           = 0xC000007F
	statusNotSupported   = 0xC00000BB
	statusNameDeleted    = 0xC00000C9
	statusNoShare        = 0xC00000CC
	statusNotEmpty       = 0xC0000101
	statusNoSuchUser     = 0xC0000064
	statusWrongPassword  = 0xC000006A
	statusLogOnType      = 0xC000015B
	statusMustChange     = 0xC0000224
	statusLocked         = 0xC0000234
	statusSessionDeleted = 0xC0000203
	statusSessionExpired = 0xC000035C
)

var statusWords = map[uint32]string{
	statusInvalid:        "the server takes no such request",
	statusEndOfFile:      "the file ends before that",
	statusDenied:         "access denied",
	statusNoName:         "there is no such file or folder",
	statusCollision:      "there is such a file or folder already",
	statusNoPath:         "there is no such folder",
	statusQuota:          "the quota is exceeded",
	statusLogOn:          "user name or password is wrong",
	statusRestricted:     "the account is restricted",
	statusExpired:        "the password has expired",
	statusDisabled:       "the account is disabled",
	statusFull:           "the disk is full",
	statusNotSupported:   "the server does not speak that",
	statusNameDeleted:    "the share is there no more",
	statusNoShare:        "there is no share of that name",
	statusNotEmpty:       "the folder is not empty",
	statusNoSuchUser:     "there is no such user",
	statusWrongPassword:  "the password is wrong",
	statusLogOnType:      "the account may not log in over the network",
	statusMustChange:     "the password must be changed",
	statusLocked:         "the account is locked",
	statusSessionDeleted: "the session was ended by the server",
	statusSessionExpired: "the session has expired",
}

// Error is what the server itself answered; the session goes on unless Ends.
type Error struct{ Status uint32 }

func (e *Error) Error() string {
	if words := statusWords[e.Status]; words != "" {
		return fmt.Sprintf("%s (0x%08X)", words, e.Status)
	}
	return fmt.Sprintf("the server answers with 0x%08X", e.Status)
}

// Ends tells that the session is of no more use.
func (e *Error) Ends() bool {
	return e.Status == statusSessionDeleted || e.Status == statusSessionExpired || e.Status == statusNameDeleted
}

// Full tells that the disk or the quota of the server is used up.
func (e *Error) Full() bool { return e.Status == statusFull || e.Status == statusQuota }

// Missing tells that there is no file or folder of that name.
func (e *Error) Missing() bool { return e.Status == statusNoName || e.Status == statusNoPath }

// Exists tells that there is one already.
func (e *Error) Exists() bool { return e.Status == statusCollision }

// NoShare tells that the server has no share of that name.
func (e *Error) NoShare() bool { return e.Status == statusNoShare }

// Denied tells that this user may not do that.
func (e *Error) Denied() bool { return e.Status == statusDenied }

// LogOn tells that the server does not let the user in.
func (e *Error) LogOn() bool {
	switch e.Status {
	case statusLogOn, statusRestricted, statusExpired, statusDisabled, statusNoSuchUser,
		statusWrongPassword, statusLogOnType, statusMustChange, statusLocked:
		return true
	}
	return false
}
