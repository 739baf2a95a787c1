"""People at a live table of Spell Stealers."""

from people import Person


class Players:
    """Four people at a live table, who answer pings."""

    def __init__(self, server, seats=4, **options):
        self.ann = Person(server.base)
        self.server = server
        self.table = self.ann.make("spell_stealers", *["me"] * seats, options={"stealing": "live", **options})
        self.sockets = [self.ann.at(self.table, seat) for seat in range(seats)]
        self.sockets[0].start(*self.sockets[1:])

    def close(self):
        for socket in self.sockets:
            socket.__exit__()
        self.ann.http.close()

    def roll(self, want):
        """Roll until the phase is the wanted one: CHOOSE 1, WINDOW 8 or MISSED 9; then the seats of the others."""
        for _ in range(200):
            current = self.sockets[self.sockets[0].view["current"]]
            phase = current.view["phase"]
            if phase == want:
                others = [s for s in self.sockets if s is not current]
                return current, others
            move = {1: 0, 8: 5, 9: 6}[phase]
            current.tell("press", ply=current.ply, move=move, reaction=None)
            before = current.ply
            for socket in self.sockets:
                socket.until(lambda s, before=before: s.ply > before)
        raise AssertionError("the dice never come up so")

    def press(self, socket, die=1, reaction=None):
        """Throw a die: STEAL_BY is 9, three dice a seat."""
        return socket.tell("press", ply=socket.ply, move=9 + 3 * socket.seat + die - 1, reaction=reaction)

    def ruling(self, socket):
        socket.until(lambda s: s.heard[-1]["t"] == "window" and "ruling" in s.heard[-1])
        return socket.heard[-1]["ruling"]
