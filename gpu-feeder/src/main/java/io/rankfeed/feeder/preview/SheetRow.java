package io.rankfeed.feeder.preview;

import io.rankfeed.schema.image.RgbPixels;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One row of a sheet.
 *
 * @param caption what identifies the row, by name
 * @param texts its columns of tokens
 * @param pictures stored ones and those of the batch, each made when it is asked for
 */
public record SheetRow(Map<String, String> caption, List<TextView> texts, List<Supplier<Picture>> pictures) {
    /**
     * A picture.
     *
     * @param name of the tensor or source column, with the number of the image in a list
     * @param pixels empty if it is missing or broken
     * @param notes how it was made, or why it is missing
     */
    public record Picture(String name, Optional<RgbPixels> pixels, List<String> notes) {}
}
