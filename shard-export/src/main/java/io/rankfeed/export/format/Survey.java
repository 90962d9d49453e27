package io.rankfeed.export.format;

/** A pass over the rows of one part that only reads them. */
public interface Survey {
    void row(FormatRow row);

    /** The result, which every part of the set gets when it is {@linkplain Format#open opened}. */
    byte[] result();
}
