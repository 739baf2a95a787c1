"""What comes in over HTTP and sockets, and who sends it."""
