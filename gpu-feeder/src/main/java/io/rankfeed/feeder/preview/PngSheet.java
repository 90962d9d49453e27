package io.rankfeed.feeder.preview;

import io.rankfeed.feeder.preview.SheetRow.Picture;
import io.rankfeed.feeder.transform.step.Canvas;
import io.rankfeed.feeder.transform.step.ImageShape;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.image.ImageForm;
import io.rankfeed.schema.image.RgbPixels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A contact sheet as one PNG: a line of images for each row, its caption below. */
public final class PngSheet {
    private static final int GAP = 8;
    private static final int TEXT_HEIGHT = 20;
    /** The approximate width of a character, in pixels. */
    private static final int TEXT_WIDTH = 8;

    private static final byte WHITE = (byte) 255;

    private PngSheet() {}

    private record Line(SheetRow row, List<RgbPixels> images) {}

    /** @throws ConfigException if the pictures, or the sheet, have more than {@code maxBytes} */
    public static byte[] of(String title, List<SheetRow> rows, Canvas canvas, long maxBytes) {
        List<Line> lines = lines(rows, maxBytes);
        int width = 640;
        for (Line line : lines) {
            width = Math.max(
                    width,
                    line.images.stream().mapToInt(image -> image.width() + GAP).sum() + GAP);
        }
        long tall = GAP + TEXT_HEIGHT;
        for (Line line : lines) {
            tall += height(line, width);
        }
        requireFits(3L * width * tall, Math.min(maxBytes, Integer.MAX_VALUE));
        int height = (int) tall;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sheet = arena.allocate(3L * width * height);
            sheet.fill(WHITE);
            int y = GAP + TEXT_HEIGHT;
            for (Line line : lines) {
                int x = GAP;
                for (RgbPixels image : line.images) {
                    paste(image, sheet, width, x, y);
                    x += image.width() + GAP;
                }
                y += height(line, width);
            }
            canvas.view(sheet, 0, height, width);
            canvas.draw(title, GAP, TEXT_HEIGHT);
            y = GAP + TEXT_HEIGHT;
            for (Line line : lines) {
                y += tallest(line.images);
                for (String text : caption(line.row, width)) {
                    y += TEXT_HEIGHT;
                    canvas.draw(text, GAP, y - 6);
                }
                y += GAP;
            }
            canvas.write(sheet, 0, new ImageShape(height, width), PixelLayout.NHWC);
            return ImageForm.PNG.encoded(new RgbPixels(width, height, sheet.toArray(ValueLayout.JAVA_BYTE)));
        }
    }

    private static List<Line> lines(List<SheetRow> rows, long maxBytes) {
        List<Line> lines = new ArrayList<>();
        long bytes = 0;
        for (SheetRow row : rows) {
            List<RgbPixels> images = new ArrayList<>();
            for (Supplier<Picture> picture : row.pictures()) {
                Optional<RgbPixels> pixels = picture.get().pixels();
                pixels.ifPresent(images::add);
                bytes += pixels.map(image -> image.bytes().length).orElse(0);
                requireFits(bytes, maxBytes);
            }
            lines.add(new Line(row, images));
        }
        return lines;
    }

    private static void requireFits(long bytes, long maxBytes) {
        if (bytes > maxBytes) {
            throw new ConfigException("the sheet has more than " + new ByteSize(maxBytes)
                    + "; choose fewer --rows, a larger --max-bytes, or an --out that ends in .html");
        }
    }

    private static int height(Line line, int width) {
        return tallest(line.images) + caption(line.row, width).size() * TEXT_HEIGHT + GAP;
    }

    private static int tallest(List<RgbPixels> images) {
        return images.stream().mapToInt(RgbPixels::height).max().orElse(0);
    }

    /** Breaks a caption into lines that fit the sheet; longer values are truncated. */
    private static List<String> caption(SheetRow row, int width) {
        int maxLength = (width - 2 * GAP) / TEXT_WIDTH;
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        row.caption().forEach((name, value) -> {
            String word = (name + " " + value).replaceAll("[^ -~]", "?");
            word = word.substring(0, Math.min(word.length(), maxLength));
            if (line.length() > 0 && line.length() + 2 + word.length() > maxLength) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : "  ").append(word);
        });
        lines.add(line.toString());
        return lines;
    }

    private static void paste(RgbPixels image, MemorySegment sheet, int sheetWidth, int x, int y) {
        int rowBytes = 3 * image.width();
        for (int line = 0; line < image.height(); line++) {
            MemorySegment.copy(
                    image.bytes(),
                    line * rowBytes,
                    sheet,
                    ValueLayout.JAVA_BYTE,
                    3L * ((long) (y + line) * sheetWidth + x),
                    rowBytes);
        }
    }
}
