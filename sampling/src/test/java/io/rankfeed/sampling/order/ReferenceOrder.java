package io.rankfeed.sampling.order;

import io.rankfeed.schema.order.EpochMode;
import io.rankfeed.schema.order.Member;
import io.rankfeed.schema.order.RowCycles;
import io.rankfeed.schema.order.RowOrder;
import io.rankfeed.schema.order.Segment;
import io.rankfeed.schema.order.TrainFeed;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** The pseudo code of docs/format/plan.md, line by line and slow: nothing is shared with the classes that it checks. */
final class ReferenceOrder {
    private static final long PHI = 0x9E3779B97F4A7C15L;

    record Draw(Segment segment, int s, long number) {}

    private final TrainFeed p;
    private final int lanes;
    private final List<Member> memberOf = new ArrayList<>();

    ReferenceOrder(TrainFeed order) {
        this.p = order;
        this.lanes = order.lanes();
        order.members().forEach(member -> member.strata().forEach(stratum -> memberOf.add(member)));
    }

    List<OrderLookup.Row> batch(long t, int r, int world) {
        int k = lanes / world;
        int b = b(segment(t));
        List<OrderLookup.Row> rows = new ArrayList<>();
        for (int i = 0; i < b * k; i++) {
            int x = p.order() == RowOrder.PLANNED ? i : (int) perm(b * (long) k, key(p.seed(), 4, t, r, world), i);
            int l = r + x % k * world;
            Draw draw = draw(t, l, x / k);
            rows.add(new OrderLookup.Row(draw.s, row(draw.segment, draw.s, l, draw.number)));
        }
        return rows;
    }

    Draw draw(long step, int l, int slot) {
        long t = step;
        int j = slot;
        Segment seg = segment(t);
        if (p.window() > 1) {
            int b = b(seg);
            long e = t / p.stepsPerEpoch();
            long lo = Math.max(seg.step(), e * p.stepsPerEpoch());
            long hi = Math.min(seg.step() + seg.steps(), (e + 1) * p.stepsPerEpoch());
            long w0 = t - (t - lo) % p.window();
            long n = (Math.min(w0 + p.window(), hi) - w0) * b;
            long x = perm(n, key(p.seed(), 5, w0, l), (t - w0) * b + j);
            t = w0 + x / b;
            j = (int) (x % b);
        }
        long tau = t - seg.step();
        long length = seg.steps();
        long w = (seg.m() * tau + seg.c() + l * length / lanes) % length;
        long y = (j + 1) * length - 1 - w;
        int s = 0;
        while (!(prefix(seg, s) <= y && y < prefix(seg, s + 1))) {
            s++;
        }
        return new Draw(seg, s, drawn(seg, s, l, tau) + j - (prefix(seg, s) + w) / length);
    }

    long drawn(Segment seg, int s, int l, long tau) {
        long o = seg.c() + l * seg.steps() / lanes;
        long sum = seg.base().get(s);
        for (long i = 0; i < tau; i++) {
            sum += (seg.m() * i + prefix(seg, s + 1) + o) / seg.steps()
                    - (seg.m() * i + prefix(seg, s) + o) / seg.steps();
        }
        return sum;
    }

    private int b(Segment seg) {
        return seg.batch().orElse(p.batch()) / lanes;
    }

    long row(Segment seg, int s, int l, long draw) {
        long n = p.strata().get(s).rows();
        int stored = memberOf.get(s).lanes();
        RowCycles cycles = memberOf.get(s).cycles();
        boolean pass = p.mode() == EpochMode.PASS;
        boolean padded = p.mode() == EpochMode.PADDED;
        long number = draw;
        if (pass) {
            long u = seg.quotas().get(s);
            long place = draw - seg.number() * u;
            if (cycles == RowCycles.SHUFFLED || (cycles == RowCycles.LIST_FIRST && seg.number() > 0)) {
                place = perm(u, key(p.seed(), 1, s, l, seg.number()), place);
            }
            number = cycles == RowCycles.LIST ? place : seg.number() * u + place;
        }
        long a = n / stored;
        long rest = n % stored;
        long z = number * lanes + l;
        long h = z % stored;
        long cy = z / n;
        long f = Math.floorMod(h - cy * n, (long) stored);
        long i = z / stored - (cy * n - h + stored - 1) / stored;
        boolean later = cy > 0 || (padded && seg.number() > 0);
        if (pass) {
            if (cycles == RowCycles.SHUFFLED && i < a) {
                i = perm(a, key(p.seed(), 8, s, h), i);
            } else if (cycles == RowCycles.SHUFFLED) {
                f = perm(rest, key(p.seed(), 9, s), f);
            }
        } else if (cycles == RowCycles.SHUFFLED || (cycles == RowCycles.LIST_FIRST && later)) {
            long cnt = a + (f < rest ? 1 : 0);
            i = perm(cnt, padded ? key(p.seed(), 1, s, h, cy, seg.number()) : key(p.seed(), 1, s, h, cy), i);
            if (i >= a) {
                f = perm(rest, padded ? key(p.seed(), 2, s, cy, seg.number()) : key(p.seed(), 2, s, cy), f);
            }
        }
        return i < a ? i * stored + h : stored * a + f;
    }

    private Segment segment(long t) {
        for (Segment seg : p.segments()) {
            if (seg.step() <= t && t < seg.step() + seg.steps()) {
                return seg;
            }
        }
        throw new AssertionError("no segment has step " + t);
    }

    private static long prefix(Segment seg, int s) {
        return seg.quotas().stream().limit(s).mapToLong(q -> q).sum();
    }

    static long key(long seed, long... words) {
        long h = seed;
        for (long x : words) {
            h = mix((h ^ x) + PHI);
        }
        return h;
    }

    static long mix(long word) {
        long z = word;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private static long stir(long word) {
        long z = word * 0xBF58476D1CE4E5B9L;
        return (z ^ (z >>> 32)) * 0x94D049BB133111EBL;
    }

    private static long below(long h, long n) {
        return ((h >>> 32) * n) >>> 32;
    }

    static long perm(long n, long k, long start) {
        if (n <= 1) {
            return start;
        }
        if (n < 64) {
            long[] a = new long[(int) n];
            for (int i = 0; i < n; i++) {
                a[i] = i;
            }
            for (int i = (int) n - 1; i >= 1; i--) {
                int j = (int) below(mix(k + i * PHI), i + 1L);
                long kept = a[i];
                a[i] = a[j];
                a[j] = kept;
            }
            return a[(int) start];
        }
        BigInteger root = BigInteger.valueOf(n - 1).sqrt().add(BigInteger.ONE);
        long big = root.longValueExact();
        long q = (n + big - 1) / big;
        long x = start;
        do {
            long u = x / q;
            long v = x % q;
            for (int i = 0; i < 8; i++) {
                if (i % 2 == 0) {
                    u = (u + below(stir((k + i * PHI) ^ v), big)) % big;
                } else {
                    v = (v + below(stir((k + i * PHI) ^ u), q)) % q;
                }
            }
            x = u * q + v;
        } while (x >= n);
        return x;
    }
}
