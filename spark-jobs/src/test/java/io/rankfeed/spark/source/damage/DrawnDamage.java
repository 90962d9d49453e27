package io.rankfeed.spark.source.damage;

import java.util.Arrays;
import java.util.SplittableRandom;

/** A change of a file's bytes. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record DrawnDamage(String what, byte[] bytes, long firstChanged) {
    /** Flips a bit, writes other bytes, cuts, removes or repeats some; in {@code [from, to)}. */
    static DrawnDamage drawn(byte[] sound, int from, int to, SplittableRandom random) {
        int at = from + random.nextInt(to - from);
        byte[] bytes = sound.clone();
        String what;
        switch (random.nextInt(8)) {
            case 0, 1, 2 -> {
                int bit = random.nextInt(8);
                bytes[at] ^= (byte) (1 << bit);
                what = "bit " + bit + " flipped";
            }
            case 3, 4 -> {
                bytes[at] = (byte) random.nextInt(256);
                what = "set to " + bytes[at];
            }
            case 5 -> {
                int length = Math.min(to - at, 1 + random.nextInt(16));
                byte[] other = new byte[length];
                random.nextBytes(other);
                System.arraycopy(other, 0, bytes, at, length);
                what = length + " drawn bytes";
            }
            case 6 -> {
                int length = Math.min(to - at, 1 + random.nextInt(16));
                Arrays.fill(bytes, at, at + length, random.nextBoolean() ? (byte) 0 : (byte) -1);
                what = length + " equal bytes";
            }
            default -> {
                int length = Math.min(to - at, 1 + random.nextInt(16));
                int source = random.nextInt(sound.length - length);
                System.arraycopy(sound, source, bytes, at, length);
                what = length + " bytes of another place";
            }
        }
        return new DrawnDamage("byte " + at + ": " + what, bytes, at);
    }

    boolean isChange(byte[] sound) {
        return !Arrays.equals(sound, bytes);
    }
}
