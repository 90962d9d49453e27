package io.rankfeed.feeder.preview;

import io.rankfeed.schema.image.RgbPixels;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One row of a contact sheet.
 *
 * @param caption what identifies the row, by name
 * @param before the image as it is stored, fitted into a square; empty if it is missing or broken
 * @param after what the batch has, by tensor
 */
public record SheetRow(Map<String, String> caption, Optional<RgbPixels> before, List<Made> after) {
    /** An image of the batch. */
    public record Made(String tensor, RgbPixels pixels) {}
}
