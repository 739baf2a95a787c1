/* Abraca...What? by hand in C: random games with the dice inside the rules, as fast as we know how to write
   them. The yardstick for the compiled rules; it has no views, no options, no explicit chance.

   cc -O3 -march=native -o abraca abraca.c && ./abraca SEATS GAMES SEED
   prints: seconds, mean decisions, mean rounds, win share of each seat counted from the one that began. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SEATS = 5, HAND = 5, LIVES = 6, GOAL = 8, STONES = 36, SECRETS = 4 };

static uint64_t w[4];

static inline uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

static inline uint64_t word(void) {
    uint64_t x = rotl(w[1] * 5, 7) * 9, t = w[1] << 17;
    w[2] ^= w[0]; w[3] ^= w[1]; w[1] ^= w[2]; w[0] ^= w[3]; w[2] ^= t; w[3] = rotl(w[3], 45);
    return x;
}

static inline uint32_t below(uint32_t n) {
    uint64_t product = (word() >> 32) * n;
    if ((uint32_t)product < n) {
        uint32_t least = -n % n;
        while ((uint32_t)product < least) product = (word() >> 32) * n;
    }
    return product >> 32;
}

static void seed(uint64_t z) {
    for (int i = 0; i < 4; i++) {
        uint64_t x = z += 0x9E3779B97F4A7C15ull;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
        w[i] = x ^ (x >> 31);
    }
}

static int seats, caster, pile, secrets;
static int8_t stones[STONES];
static int drawn, held[SEATS], lives[SEATS], points[SEATS], gain[SEATS], takes[SEATS];
static int8_t hand[SEATS][HAND];

/* The next stone of a shuffle that is made as it is needed. */
static inline int draw(void) {
    int j = drawn + below(STONES - drawn);
    int8_t kind = stones[j];
    stones[j] = stones[drawn];
    stones[drawn++] = kind;
    return kind;
}

static inline void lose(int seat, int n) { lives[seat] = lives[seat] > n ? lives[seat] - n : 0; }
static inline void win(int seat, int n) { lives[seat] = lives[seat] + n < LIVES ? lives[seat] + n : LIVES; }
static inline void lose_others(int n) { for (int k = 0; k < seats; k++) if (k != caster) lose(k, n); }
static inline int die(void) { return 1 + below(3); }

/* One round; answers the number of decisions. The seat that won, or -1, is in *winner. */
static int play_round(int *winner) {
    int n = 0, decisions = 0;
    for (int kind = 1; kind <= 8; kind++) for (int i = 0; i < kind; i++) stones[n++] = kind;
    drawn = 0;
    secrets = SECRETS;
    for (int k = 0; k < seats; k++) {
        lives[k] = LIVES; takes[k] = 0; held[k] = HAND;
        for (int i = 0; i < HAND; i++) hand[k][i] = draw();
    }
    int aside = seats == 2 ? 12 : seats == 3 ? 6 : 0;
    for (int i = 0; i < aside; i++) draw();
    pile = STONES - SECRETS - HAND * seats - aside;
    for (;; caster = caster + 1 < seats ? caster + 1 : 0) {
        int spell = 0;
        for (;;) {
            decisions++;
            int call = spell ? (int)below(10 - spell) : 1 + (int)below(8);
            if (spell) { if (!call) break; call += spell - 1; }
            spell = call;
            int slot = -1;
            for (int i = 0; i < held[caster]; i++) if (hand[caster][i] == spell) { slot = i; break; }
            if (slot < 0) {
                lose(caster, spell == 1 ? die() : 1);
                if (!lives[caster]) { *winner = -1; return decisions; }
                break;
            }
            for (int i = slot; i + 1 < held[caster]; i++) hand[caster][i] = hand[caster][i + 1];
            held[caster]--;
            int left = caster + 1 < seats ? caster + 1 : 0, right = caster ? caster - 1 : seats - 1;
            switch (spell) {
            case 1: lose_others(die()); break;
            case 2: lose_others(1); win(caster, 1); break;
            case 3: win(caster, die()); break;
            case 4: if (secrets) { secrets--; takes[caster]++; draw(); } break;
            case 5: lose(left, 1); if (left != right) lose(right, 1); break;
            case 6: lose(left, 1); break;
            case 7: lose(right, 1); break;
            case 8: win(caster, 1); break;
            }
            *winner = caster;
            if (!held[caster]) { lose_others(LIVES); return decisions; }
            for (int k = 0; k < seats; k++) if (!lives[k]) return decisions;
        }
        while (held[caster] < HAND && pile > 0) { hand[caster][held[caster]++] = draw(); pile--; }
    }
}

int main(int argc, char **argv) {
    seats = argc > 1 ? atoi(argv[1]) : 4;
    long games = argc > 2 ? atol(argv[2]) : 100000;
    seed(argc > 3 ? strtoull(argv[3], 0, 10) : 1);
    double decisions = 0, rounds = 0, shares[SEATS] = {0};
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    for (long g = 0; g < games; g++) {
        caster = 0;
        memset(points, 0, sizeof points);
        for (int over = 0; !over;) {
            int winner;
            decisions += play_round(&winner);
            rounds++;
            for (int k = 0; k < seats; k++) {
                gain[k] = lives[k] ? (k == winner ? 3 : 1) + takes[k] : 0;
                points[k] += gain[k];
                over |= points[k] >= GOAL;
            }
            caster = caster + 1 < seats ? caster + 1 : 0;
        }
        int best = 0, sharing = 0, rank[SEATS];
        for (int k = 0; k < seats; k++) {
            rank[k] = points[k] >= GOAL ? gain[k] * (LIVES + 1) + lives[k] : -1;
            if (rank[k] > best) best = rank[k], sharing = 1;
            else if (rank[k] == best) sharing++;
        }
        for (int k = 0; k < seats; k++) if (rank[k] == best) shares[k] += 1.0 / sharing;
    }
    clock_gettime(CLOCK_MONOTONIC, &b);
    printf("%.6f %.4f %.4f", b.tv_sec - a.tv_sec + (b.tv_nsec - a.tv_nsec) * 1e-9, decisions / games, rounds / games);
    for (int k = 0; k < seats; k++) printf(" %.5f", shares[k] / games);
    printf("\n");
    return 0;
}
