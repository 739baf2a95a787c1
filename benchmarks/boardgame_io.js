// A game like Abraca...What? for boardgame.io's own server: everybody sees the stones of the others and not the own.
// node boardgame_io.js PORT, in a folder where boardgame.io is installed.
const { createRequire } = require("module");
const installed = createRequire(process.cwd() + "/");
const { Server } = installed("boardgame.io/server");
const { INVALID_MOVE } = installed("boardgame.io/core");

const KINDS = 8, HELD = 5, LIVES = 6;

function deal(G, random, seats) {
  const bag = [];
  for (let kind = 1; kind <= KINDS; kind++) for (let k = 0; k < kind; k++) bag.push(kind);
  G.bag = random.Shuffle(bag);
  G.hands = Array.from({ length: seats }, () => G.bag.splice(0, HELD));
  G.lives = Array(seats).fill(LIVES);
  G.board = Array(KINDS + 1).fill(0);
  G.spell = 0;
}

function refill(G, seat) {
  while (G.hands[seat].length < HELD && G.bag.length) G.hands[seat].push(G.bag.pop());
}

const game = {
  name: "abraca",
  setup: ({ random, ctx }) => {
    const G = { points: Array(ctx.numPlayers).fill(0), said: "" };
    deal(G, random, ctx.numPlayers);
    return G;
  },
  playerView: ({ G, playerID }) => {
    const seat = Number(playerID);
    const hands = G.hands.map((hand, k) => (k === seat ? hand.map(() => 0) : hand));
    return { ...G, hands, bag: G.bag.length };
  },
  moves: {
    call: {
      client: false,
      move: ({ G, ctx, events, random }, kind) => {
        const seat = Number(ctx.currentPlayer);
        if (!Number.isInteger(kind) || kind < Math.max(1, G.spell) || kind > KINDS) return INVALID_MOVE;
        const at = G.hands[seat].indexOf(kind);
        G.said = `Seat ${seat} calls ${kind}.`;
        if (at < 0) {
          G.lives[seat] -= kind === 1 ? random.D6() % 3 + 1 : 1;
        } else {
          G.hands[seat].splice(at, 1);
          G.board[kind]++;
          G.spell = kind;
          for (let k = 0; k < ctx.numPlayers; k++) if (k !== seat) G.lives[k] -= kind < 4 ? 1 : 0;
        }
        if (!G.hands[seat].length || G.lives.some((left) => left <= 0)) {
          G.points[seat]++;
          deal(G, random, ctx.numPlayers);
          events.endTurn();
        } else if (at < 0) {
          refill(G, seat);
          G.spell = 0;
          events.endTurn();
        }
      },
    },
  },
};

const port = Number(process.argv[2]);
const server = Server({ games: [game], origins: [/.*/] });
server.run({ port, lobbyConfig: { apiPort: port + 1 } }, () => console.log("ready"));
