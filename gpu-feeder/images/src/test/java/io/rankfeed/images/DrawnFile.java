package io.rankfeed.images;

import io.rankfeed.schema.image.RgbPixels;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A drawn image file, and its pixels by the decoding contract (docs/functions.md).
 *
 * @param what for messages
 * @param image the expected pixels; empty for a file that must be refused
 * @param refusal a regular expression of the message
 */
record DrawnFile(String what, ByteBuffer file, Optional<RgbPixels> image, String refusal) {
    static final int MAX_SIDE = 33;

    static DrawnFile of(String what, byte[] file, RgbPixels image) {
        return new DrawnFile(what, ByteBuffer.wrap(file), Optional.of(image), "");
    }

    static DrawnFile refused(String what, byte[] file, String refusal) {
        return new DrawnFile(what, ByteBuffer.wrap(file), Optional.empty(), refusal);
    }

    byte[] bytes() {
        byte[] bytes = new byte[file.capacity()];
        file.get(0, bytes);
        return bytes;
    }

    static int side(Random random) {
        return 1 + random.nextInt(MAX_SIDE);
    }

    static <T> T one(Random random, List<T> values) {
        return values.get(random.nextInt(values.size()));
    }
}
