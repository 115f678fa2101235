import socket, sys
port = int(sys.stdin.read())
def attempt(name, action):
    try:
        action()
        print("OPEN", name)
    except (OSError, AttributeError):
        pass
attempt("loopback", lambda: socket.create_connection(("127.0.0.1", port), 1))
attempt("loopback6", lambda: socket.create_connection(("::1", port), 1))
attempt("outside", lambda: socket.create_connection(("192.0.2.1", 80), 1))
attempt("datagram", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("192.0.2.1", 53)))
attempt("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
attempt("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
attempt("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
attempt("vsock", lambda: socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM))
attempt("alg", lambda: socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET))
attempt("abstract", lambda: socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).connect("\0fablegrade-user-1900000001"))
