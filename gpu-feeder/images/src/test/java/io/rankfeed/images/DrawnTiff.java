package io.rankfeed.images;

import io.rankfeed.schema.image.RgbPixels;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.zip.Deflater;

/** Writes TIFF files of every color, depth, channel, layout, orientation and number of pages. */
final class DrawnTiff {
    private static final int GRAY_INVERTED = 0;
    private static final int GRAY = 1;
    private static final int RGB = 2;
    private static final int PALETTE = 3;
    private static final int NO_EXTRA = -1;
    private static final int PREMULTIPLIED = 1;
    private static final int TILE = 16;
    private static final int DEFLATE = 8;

    private final Random random;
    private final int height;
    private final int width;
    private final int photometric;
    private final int bits;
    private final int extra;
    private final boolean isPlanar;
    private final boolean isTiled;
    private final int compression;
    private final int orientation;
    private final int[] samples;
    private final long[] palette = new long[3 * 256];
    private final ByteBuffer out = ByteBuffer.allocate(1 << 17);

    private DrawnTiff(Random random) {
        this.random = random;
        height = DrawnFile.side(random);
        width = DrawnFile.side(random);
        photometric = DrawnFile.one(random, List.of(GRAY_INVERTED, GRAY, RGB, RGB, RGB, PALETTE, 4, 8));
        bits = photometric == PALETTE ? 8 : DrawnFile.one(random, List.of(8, 8, 8, 16, 32));
        extra = random.nextBoolean() ? NO_EXTRA : random.nextInt(3);
        isPlanar = channels() > 1 && random.nextInt(3) == 0;
        isTiled = random.nextInt(4) == 0;
        compression = isTiled ? DEFLATE : DrawnFile.one(random, List.of(1, DEFLATE, DEFLATE, 34925));
        orientation = random.nextInt(3) > 0 ? 1 : 1 + random.nextInt(8);
        samples = random.ints((long) height * width * channels(), 0, 1 << Math.min(bits, 16))
                .toArray();
        out.order(random.nextBoolean() ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        int levels = random.nextInt(4) == 0 ? 256 : 65_536;
        Arrays.setAll(palette, i -> i == 0 ? levels - 1 : random.nextInt(levels));
    }

    static DrawnFile drawn(Random random) {
        return new DrawnTiff(random).drawn();
    }

    private DrawnFile drawn() {
        out.put((out.order() == ByteOrder.LITTLE_ENDIAN ? "II" : "MM").getBytes(StandardCharsets.US_ASCII))
                .putShort((short) 42);
        int link = out.position();
        out.putInt(0);
        // Directories behind the first: 0 is a page, 1 a thumbnail, 4 a mask, 2 a page of several.
        List<Integer> others = new ArrayList<>();
        for (int n = random.nextInt(3) > 0 ? 0 : 1 + random.nextInt(3); n > 0; n--) {
            others.add(DrawnFile.one(random, List.of(0, 1, 4, 2, 5)));
        }
        int first = random.nextInt(12) == 0 ? 1 : DrawnFile.one(random, List.of(0, 0, 2));
        link = directory(link, first, samples);
        for (int type : others) {
            link = directory(link, type, random.ints(samples.length, 0, 100).toArray());
        }
        byte[] file = new byte[out.position()];
        out.get(0, file);
        String what = "TIFF " + height + " × " + width + ", photometric " + photometric + ", " + bits + " bits, extra "
                + extra + ", planar " + isPlanar + ", tiled " + isTiled + ", compression " + compression
                + ", orientation " + orientation + ", types " + first + " " + others + ", " + out.order();
        String refusal = refusal(
                first, 1 + others.stream().filter(type -> (type & 5) == 0).count());
        if (!refusal.isEmpty()) {
            return DrawnFile.refused(what, file, refusal);
        } else if (random.nextInt(8) == 0) {
            int kept = 8 + random.nextInt(file.length - 8);
            return DrawnFile.refused(what + " cut to " + kept, Arrays.copyOf(file, kept), "is (truncated|corrupted).*");
        }
        boolean isTurned = orientation >= 5;
        RgbPixels image = new RgbPixels(isTurned ? height : width, isTurned ? width : height, upright());
        return DrawnFile.of(what, file, image);
    }

    private String refusal(int first, long pages) {
        if (first == 1) {
            return "is a TIFF whose first image is a thumbnail.*";
        } else if (pages > 1) {
            return "is a TIFF of " + pages + " pages.*";
        } else if (photometric > PALETTE
                || bits == 32
                || (bits == 16 && photometric == GRAY_INVERTED)
                || compression == 34925) {
            return "is a TIFF of photometric " + photometric + ", compression " + compression + ".*";
        } else if (extra >= 0 && photometric != GRAY && photometric != RGB) {
            return "is a TIFF of photometric " + photometric + " with an extra channel.*";
        } else if (extra == PREMULTIPLIED) {
            return "is a TIFF whose colors are multiplied by its alpha channel.*";
        } else if (photometric == PALETTE && palette[0] == 255) {
            return "is a TIFF whose palette has 8 bits.*";
        }
        boolean isPlainGray = photometric == GRAY_INVERTED || (photometric == GRAY && extra < 0 && bits == 8);
        return isTiled && (orientation > 1 || !(photometric == RGB || isPlainGray)) ? "is a TIFF in tiles.*" : "";
    }

    private int channels() {
        return (photometric == RGB || photometric == 8 ? 3 : 1) + (extra >= 0 ? 1 : 0);
    }

    /** Writes pixels and a directory, sets the link to it, and returns the position of its own link. */
    private int directory(int link, int type, int[] pixels) {
        int channels = channels();
        int planes = isPlanar ? channels : 1;
        int rows = isTiled ? TILE : 1 + random.nextInt(height);
        int columns = isTiled ? TILE : width;
        List<Long> offsets = new ArrayList<>();
        List<Long> bytes = new ArrayList<>();
        for (int plane = 0; plane < planes; plane++) {
            for (int y = 0; y < height; y += rows) {
                for (int x = 0; x < width; x += columns) {
                    byte[] part =
                            part(pixels, plane, isPlanar, y, x, isTiled ? rows : Math.min(rows, height - y), columns);
                    offsets.add((long) out.position());
                    bytes.add((long) part.length);
                    out.put(part);
                }
            }
        }
        long[] depths = new long[channels];
        Arrays.fill(depths, bits);
        Map<Integer, long[]> fields = new TreeMap<>(Map.of(
                254, new long[] {type},
                256, new long[] {width},
                257, new long[] {height},
                258, depths,
                259, new long[] {compression},
                262, new long[] {photometric},
                274, new long[] {orientation},
                277, new long[] {channels},
                284, new long[] {isPlanar ? 2 : 1}));
        fields.put(isTiled ? 324 : 273, offsets.stream().mapToLong(each -> each).toArray());
        fields.put(isTiled ? 325 : 279, bytes.stream().mapToLong(each -> each).toArray());
        fields.put(isTiled ? 322 : 278, new long[] {rows});
        if (isTiled) {
            fields.put(323, new long[] {columns});
        }
        if (extra >= 0) {
            fields.put(338, new long[] {extra});
        }
        if (photometric == PALETTE) {
            fields.put(320, palette);
        }
        Map<Integer, Integer> valueOffsets = new TreeMap<>();
        fields.forEach((tag, values) -> {
            if (values.length * size(tag) > 4) {
                valueOffsets.put(tag, out.position());
                put(tag, values);
            }
        });
        out.position(out.position() + (out.position() & 1));
        out.putInt(link, out.position());
        out.putShort((short) fields.size());
        fields.forEach((tag, values) -> {
            out.putShort(tag.shortValue())
                    .putShort((short) (size(tag) == 2 ? 3 : 4))
                    .putInt(values.length);
            int after = out.position() + 4;
            if (valueOffsets.containsKey(tag)) {
                out.putInt(valueOffsets.get(tag));
            } else {
                put(tag, values);
            }
            out.position(after);
        });
        out.putInt(0);
        return out.position() - 4;
    }

    private static int size(int tag) {
        return tag == 254 || tag == 273 || tag == 279 || tag == 324 || tag == 325 ? 4 : 2;
    }

    private void put(int tag, long[] values) {
        for (long value : values) {
            if (size(tag) == 2) {
                out.putShort((short) value);
            } else {
                out.putInt((int) value);
            }
        }
    }

    private byte[] part(int[] pixels, int plane, boolean single, int top, int left, int rows, int columns) {
        ByteBuffer raw =
                ByteBuffer.allocate(rows * columns * channels() * (bits / 8)).order(out.order());
        for (int y = top; y < top + rows; y++) {
            for (int x = left; x < left + columns; x++) {
                for (int channel = 0; channel < channels(); channel++) {
                    if (!single || channel == plane) {
                        boolean isInside = y < height && x < width;
                        int value = isInside ? pixels[(y * width + x) * channels() + channel] : 9;
                        switch (bits) {
                            case 8 -> raw.put((byte) value);
                            case 16 -> raw.putShort((short) value);
                            default -> raw.putInt(value << 16);
                        }
                    }
                }
            }
        }
        byte[] plain = Arrays.copyOf(raw.array(), raw.position());
        return compression == DEFLATE ? deflated(plain) : plain;
    }

    private static byte[] deflated(byte[] plain) {
        Deflater deflater = new Deflater();
        deflater.setInput(plain);
        deflater.finish();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] some = new byte[512];
        while (!deflater.finished()) {
            bytes.write(some, 0, deflater.deflate(some));
        }
        deflater.end();
        return bytes.toByteArray();
    }

    /** Returns the pixels after the orientation is applied. */
    private byte[] upright() {
        boolean isTurned = orientation >= 5;
        int columns = isTurned ? height : width;
        byte[] rgb = new byte[height * width * 3];
        for (int y = 0; y < height; y++) {
            for (int x = 0; x < width; x++) {
                int right = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7
                        ? columns - 1 - (isTurned ? y : x)
                        : isTurned ? y : x;
                int rows = isTurned ? width : height;
                int down = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8
                        ? rows - 1 - (isTurned ? x : y)
                        : isTurned ? x : y;
                for (int channel = 0; channel < 3; channel++) {
                    rgb[(down * columns + right) * 3 + channel] = (byte) color(y * width + x, channel);
                }
            }
        }
        return rgb;
    }

    private int color(int pixel, int channel) {
        int sample = samples[pixel * channels() + (photometric == RGB ? channel : 0)] >> (bits - 8);
        return switch (photometric) {
            case GRAY_INVERTED -> 255 - sample;
            case PALETTE -> (int) palette[channel * 256 + sample] >> 8;
            default -> sample;
        };
    }
}
