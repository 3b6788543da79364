package network

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"tilekit/internal/job"
)

// Server in a job file: where it listens, by UDP and TCP.
type Server struct {
	Listen string `json:"listen"`
}

// ReadServer takes it from a job.
func ReadServer(text []byte) (*Server, error) {
	one := &Server{Listen: fmt.Sprintf(":%d", DefaultPort)}
	return one, job.Strict(text, one)
}

const (
	mostSessions = 1_000
	mostLinks    = 20_000
	// How long a session is kept whose client has gone without a word.
	keptFor = time.Minute
	// What one hello or question may measure.
	mostOfLine = 1_000
	// Datagrams that wait in the socket; the system may allow less.
	bufferBytes = 16 << 20
)

type server struct {
	kit      string
	port     int
	said     func(Counts)
	mu       sync.RWMutex
	sessions map[uint64]*session
	links    map[net.Conn]bool
	udp      *net.UDPConn
}

// Serve counts what arrives and answers, until the context ends. ready gets the address; ended gets
// the counts of each load when it is over.
func (one *Server) Serve(ctx context.Context, kit string, ready func(string), ended func(Counts)) error {
	listener, err := net.Listen("tcp", one.Listen)
	if err != nil {
		return err
	}
	defer listener.Close()
	address := listener.Addr().(*net.TCPAddr)
	udp, err := net.ListenUDP("udp", &net.UDPAddr{IP: address.IP, Port: address.Port, Zone: address.Zone})
	if err != nil {
		return err
	}
	widen(udp, bufferBytes)
	s := &server{
		kit: kit, port: address.Port, said: ended, sessions: map[uint64]*session{}, links: map[net.Conn]bool{}, udp: udp,
	}
	var all sync.WaitGroup
	all.Add(1)
	go func() {
		defer all.Done()
		s.datagrams()
	}()
	over := make(chan struct{})
	defer close(over)
	go func() {
		select {
		case <-ctx.Done():
		case <-over:
		}
		_ = listener.Close()
		_ = udp.Close()
		s.closeLinks()
	}()
	ready(address.String())
	for {
		conn, err := listener.Accept()
		if err != nil {
			all.Wait()
			s.endAll()
			if ctx.Err() != nil {
				return nil
			}
			return err
		}
		if s.add(conn) {
			go func() {
				defer s.remove(conn)
				s.link(conn)
			}()
		}
	}
}

func (s *server) add(conn net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.links) >= mostLinks {
		_ = conn.Close()
		return false
	}
	s.links[conn] = true
	return true
}

func (s *server) remove(conn net.Conn) {
	_ = conn.Close()
	s.mu.Lock()
	delete(s.links, conn)
	s.mu.Unlock()
}

func (s *server) closeLinks() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for conn := range s.links {
		_ = conn.Close()
	}
}

func (s *server) of(id uint64) *session {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.sessions[id]
}

// datagrams are counted, and answered where a session that is known asked for answers: nobody else's
// address can be made to get any.
func (s *server) datagrams() {
	text := make([]byte, mostOfDatagram+1)
	answer := newPacket(mostOfDatagram)
	for {
		n, from, err := s.udp.ReadFromUDPAddrPort(text)
		if err != nil {
			if errors.Is(err, net.ErrClosed) {
				return
			}
			continue
		}
		head, ok := readHeader(text[:n])
		if !ok {
			continue
		}
		one := s.of(head.session)
		if one == nil {
			continue
		}
		whole := n == one.hello.SendBytes && isWhole(text[:n])
		if one.hello.Kind != kindRequests {
			one.packet(head, n, whole)
			continue
		}
		if !whole {
			one.received(0, false)
			continue
		}
		head.put(answer)
		if _, err := s.udp.WriteToUDPAddrPort(answer[:one.hello.ReceiveBytes], from); err == nil {
			one.answered(n)
		}
	}
}

// link is one connection by TCP.
func (s *server) link(conn net.Conn) {
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	reader := bufio.NewReaderSize(conn, 64<<10)
	var first hello
	line, err := readLine(reader)
	if err != nil || json.Unmarshal(line, &first) != nil || first.Tilekit != "net" {
		return
	}
	one, problem := s.enter(first)
	if say(conn, welcome{Tilekit: "net", Kit: s.kit, Problem: problem}) != nil || one == nil {
		return
	}
	_ = conn.SetDeadline(time.Time{})
	switch first.As {
	case "control":
		s.control(conn, reader, one)
	case kindPackets:
		one.frames(reader, func(head header, size int, whole bool) error {
			one.packet(head, size, whole)
			return nil
		})
	case kindRequests:
		answer := newPacket(one.hello.ReceiveBytes)
		one.frames(reader, func(head header, size int, whole bool) error {
			if !whole {
				one.received(0, false)
				return fmt.Errorf("not as it was sent")
			}
			head.put(answer)
			_, err := conn.Write(answer)
			if err == nil {
				one.answered(size)
			}
			return err
		})
	case "send":
		one.takeStream(reader)
	case "receive":
		for {
			if _, err := conn.Write(pattern[:period]); err != nil {
				return
			}
		}
	}
}

// enter finds the session of a connection; a control connection makes it.
func (s *server) enter(first hello) (*session, string) {
	for _, size := range []int{first.SendBytes, first.ReceiveBytes} {
		if size < headerBytes || size > mostBytes {
			return nil, fmt.Sprintf("a payload of %d bytes is not one from %d to %d", size, headerBytes, mostBytes)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	one := s.sessions[first.Session]
	if first.As != "control" {
		if one == nil {
			return nil, "this load is not known here"
		}
		return one, ""
	}
	if one == nil {
		if len(s.sessions) >= mostSessions {
			return nil, fmt.Sprintf("this server has %d loads already", mostSessions)
		}
		one = newSession(first)
		s.sessions[first.Session] = one
	}
	one.links++
	return one, ""
}

// control answers each line with the counts; "bye" ends the session.
func (s *server) control(conn net.Conn, reader *bufio.Reader, one *session) {
	defer func() {
		s.mu.Lock()
		one.links--
		s.mu.Unlock()
		time.AfterFunc(keptFor, func() { s.end(one, false) })
	}()
	for {
		line, err := readLine(reader)
		if err != nil {
			return
		}
		counts := one.told(true)
		counts.SocketDrops = socketDrops(s.port)
		// Who hears the answer may end this program at once: what the load was is told before.
		over := string(line) == "bye"
		if over {
			s.end(one, true)
		}
		if say(conn, counts) != nil || over {
			return
		}
	}
}

// end tells what a session was, once; those that are in use only where that is meant.
func (s *server) end(one *session, meant bool) {
	s.mu.Lock()
	is := s.sessions[one.counts.Session] == one && (meant || one.links == 0)
	if is {
		delete(s.sessions, one.counts.Session)
	}
	s.mu.Unlock()
	if is {
		counts := one.told(false)
		counts.SocketDrops = socketDrops(s.port)
		s.said(counts)
	}
}

func (s *server) endAll() {
	s.mu.RLock()
	var all []*session
	for _, one := range s.sessions {
		all = append(all, one)
	}
	s.mu.RUnlock()
	for _, one := range all {
		s.end(one, true)
	}
}

// frames reads packets of the session's size until the connection ends.
func (s *session) frames(reader io.Reader, take func(head header, size int, whole bool) error) {
	packet := make([]byte, s.hello.SendBytes)
	for {
		if _, err := io.ReadFull(reader, packet); err != nil {
			return
		}
		head, ok := readHeader(packet)
		if take(head, len(packet), ok && isWhole(packet)) != nil || !ok {
			return
		}
	}
}

func (s *session) takeStream(reader io.Reader) {
	text := make([]byte, 256<<10)
	for at := int64(0); ; {
		n, err := reader.Read(text)
		if n > 0 {
			s.received(int64(n), isPattern(text[:n], at))
			at += int64(n)
		}
		if err != nil {
			return
		}
	}
}

func readLine(reader *bufio.Reader) ([]byte, error) {
	line, err := reader.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	if len(line) > mostOfLine {
		return nil, fmt.Errorf("a line of %d bytes", len(line))
	}
	return append([]byte{}, line[:len(line)-1]...), nil
}

func say(conn net.Conn, answer interface{}) error {
	text, err := json.Marshal(answer)
	if err != nil {
		return err
	}
	_, err = conn.Write(append(text, '\n'))
	return err
}
