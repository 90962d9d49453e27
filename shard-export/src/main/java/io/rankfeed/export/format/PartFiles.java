package io.rankfeed.export.format;

import java.io.IOException;

/** Creates files. */
public interface PartFiles {
    /** @param path relative to the root of the sets, with {@code /} */
    PartFile create(String path) throws IOException;
}
