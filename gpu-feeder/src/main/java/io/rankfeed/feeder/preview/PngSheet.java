package io.rankfeed.feeder.preview;

import io.rankfeed.feeder.transform.step.Canvas;
import io.rankfeed.feeder.transform.step.ImageShape;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.schema.image.ImageForm;
import io.rankfeed.schema.image.RgbPixels;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A contact sheet as one PNG: a line of images for each row, its caption below. */
public final class PngSheet {
    private static final int GAP = 8;
    private static final int TEXT_HEIGHT = 20;
    /** Of a letter, about. */
    private static final int TEXT_WIDTH = 8;

    private static final byte WHITE = (byte) 255;

    private PngSheet() {}

    public static byte[] of(String title, List<SheetRow> rows, Canvas canvas) {
        int width = 640;
        int height = GAP + TEXT_HEIGHT;
        for (SheetRow row : rows) {
            width = Math.max(
                    width,
                    images(row).stream().mapToInt(image -> image.width() + GAP).sum() + GAP);
        }
        for (SheetRow row : rows) {
            height += tallest(images(row)) + caption(row, width).size() * TEXT_HEIGHT + GAP;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sheet = arena.allocate(3L * width * height);
            sheet.fill(WHITE);
            int y = GAP + TEXT_HEIGHT;
            for (SheetRow row : rows) {
                int x = GAP;
                for (RgbPixels image : images(row)) {
                    paste(image, sheet, width, x, y);
                    x += image.width() + GAP;
                }
                y += tallest(images(row)) + caption(row, width).size() * TEXT_HEIGHT + GAP;
            }
            canvas.view(sheet, 0, height, width);
            canvas.draw(title, GAP, TEXT_HEIGHT);
            y = GAP + TEXT_HEIGHT;
            for (SheetRow row : rows) {
                y += tallest(images(row));
                for (String line : caption(row, width)) {
                    y += TEXT_HEIGHT;
                    canvas.draw(line, GAP, y - 6);
                }
                y += GAP;
            }
            canvas.write(sheet, 0, new ImageShape(height, width), PixelLayout.NHWC);
            return ImageForm.PNG.encoded(new RgbPixels(width, height, sheet.toArray(ValueLayout.JAVA_BYTE)));
        }
    }

    private static List<RgbPixels> images(SheetRow row) {
        List<RgbPixels> images = new ArrayList<>();
        Optional.ofNullable(row.before().orElse(null)).ifPresent(images::add);
        row.after().forEach(made -> images.add(made.pixels()));
        return images;
    }

    private static int tallest(List<RgbPixels> images) {
        return images.stream().mapToInt(RgbPixels::height).max().orElse(0);
    }

    /** In lines that fit the sheet; a longer value is cut. */
    private static List<String> caption(SheetRow row, int width) {
        int most = (width - 2 * GAP) / TEXT_WIDTH;
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        row.caption().forEach((name, value) -> {
            String word = (name + " " + value).replaceAll("[^ -~]", "?");
            word = word.substring(0, Math.min(word.length(), most));
            if (line.length() > 0 && line.length() + 2 + word.length() > most) {
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
