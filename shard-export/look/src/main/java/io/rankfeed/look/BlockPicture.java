package io.rankfeed.look;

import io.rankfeed.look.ParquetFile.RowGroup;
import io.rankfeed.report.Picture;
import io.rankfeed.report.Picture.Anchor;
import io.rankfeed.report.Picture.Point;
import io.rankfeed.schema.config.ByteSize;
import io.rankfeed.schema.config.Plural;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/** Files drawn one below the other: blocks as boxes, the row groups in them, those that cross a block apart. */
final class BlockPicture {
    /** Colors that people with any common color vision distinguish (Okabe and Ito, 2008). */
    private static final int WITHIN = 0x0072B2;

    private static final int CROSSING = 0xD55E00;
    private static final int FILE = 0xE8E8E8;
    private static final int EDGE = 0x000000;
    private static final int WIDTH = 1000;
    private static final int LEFT = 170;
    private static final int RIGHT = 20;
    private static final int TOP = 84;
    private static final int LINE = 20;
    private static final int BAR = 13;
    private static final int SHOWN_FILES = 60;

    /** Lines closer than this would be one grey. */
    private static final double LEAST_BLOCK_PIXELS = 3;

    private static final int NAME_LENGTH = 22;

    private final Picture picture;
    private final double bytesPerPixel;
    private final int folder;

    /** @param folder characters of a file's name that are not shown */
    private BlockPicture(int lines, long longest, int folder) {
        this.folder = folder;
        this.picture = new Picture(WIDTH, TOP + lines * LINE + 16);
        this.bytesPerPixel = (double) Math.max(1, longest) / (WIDTH - LEFT - RIGHT);
    }

    /** @param verdict written above */
    static Picture of(List<ParquetFile> files, String verdict) {
        // Of too many files those that cross the most; in their own order.
        List<ParquetFile> shown = IntStream.range(0, files.size())
                .boxed()
                .sorted(Comparator.comparingLong(i -> -BlockFill.crossing(files.get(i))))
                .limit(SHOWN_FILES)
                .sorted()
                .map(files::get)
                .toList();
        long longest = shown.stream()
                .mapToLong(file -> Math.max(file.lengthBytes(), Math.min(file.blockBytes(), 2 * file.lengthBytes())))
                .max()
                .orElse(1);
        BlockPicture drawing = new BlockPicture(
                shown.size() + (shown.size() < files.size() ? 1 : 0), longest, ParquetReport.commonFolder(files));
        drawing.legend(verdict);
        for (int i = 0; i < shown.size(); i++) {
            drawing.file(shown.get(i), TOP + i * LINE);
        }
        drawing.scale(TOP - 6);
        if (shown.size() < files.size()) {
            drawing.picture.text(
                    LEFT,
                    TOP + shown.size() * LINE + BAR,
                    "and " + Plural.counted(files.size() - shown.size(), "file")
                            + " more, in which no more row groups cross",
                    Anchor.START);
        }
        return drawing.picture;
    }

    /** Draws the offsets in a file, in bytes. */
    private void scale(int y) {
        int width = WIDTH - LEFT - RIGHT;
        for (int quarter = 0; quarter <= 4; quarter++) {
            double x = LEFT + width * quarter / 4.0;
            picture.line(List.of(new Point(x, y), new Point(x, y + 4)), EDGE, 1);
            picture.text(
                    x,
                    y - 2,
                    quarter == 0 ? "0" : ByteSize.rounded((long) (bytesPerPixel * width * quarter / 4)),
                    quarter == 0 ? Anchor.START : quarter == 4 ? Anchor.END : Anchor.MIDDLE);
        }
    }

    private void legend(String verdict) {
        picture.text(12, 20, verdict, Anchor.START);
        int x = LEFT;
        x = legend(x, WITHIN, "row group within its block");
        x = legend(x, CROSSING, "row group that crosses a block");
        x = legend(x, FILE, "padding, footer");
        picture.line(List.of(new Point(x, 34), new Point(x, 50)), EDGE, 1);
        picture.text(x + 6, 46, "end of a block", Anchor.START);
    }

    private int legend(int x, int color, String name) {
        picture.rectangle(x, 36, 12, 12, color, "");
        picture.text(x + 18, 46, name, Anchor.START);
        return x + 40 + 7 * name.length();
    }

    private void file(ParquetFile file, int y) {
        String name = file.name().substring(folder);
        String shown = name.codePointCount(0, name.length()) > NAME_LENGTH
                ? name.substring(0, name.offsetByCodePoints(0, NAME_LENGTH - 1)) + "…"
                : name;
        picture.text(LEFT - 8, y + BAR - 2, shown, Anchor.END);
        box(0, file.lengthBytes(), y, FILE, file.name() + ", " + ByteSize.rounded(file.lengthBytes()));
        for (RowGroup group : file.rowGroups()) {
            boolean crosses = group.blocks(file.blockBytes()) > 1;
            box(
                    group.start(),
                    group.end(),
                    y,
                    crosses ? CROSSING : WITHIN,
                    Plural.counted(group.rows(), "row") + ", " + ByteSize.rounded(group.lengthBytes())
                            + (crosses ? ", in " + group.blocks(file.blockBytes()) + " blocks" : ""));
        }
        if (file.blockBytes() / bytesPerPixel >= LEAST_BLOCK_PIXELS) {
            for (long end = file.blockBytes();
                    LEFT + end / bytesPerPixel <= WIDTH - RIGHT + 1;
                    end += file.blockBytes()) {
                double x = LEFT + end / bytesPerPixel;
                picture.line(List.of(new Point(x, y - 3), new Point(x, y + BAR + 3)), EDGE, 1);
                if (end >= file.lengthBytes()) {
                    break;
                }
            }
        }
    }

    /** A hair is left free at the right, so that row groups are distinguished. */
    private void box(long start, long end, int y, int color, String title) {
        double width = (end - start) / bytesPerPixel;
        picture.rectangle(LEFT + start / bytesPerPixel, y, width > 3 ? width - 0.75 : width, BAR, color, title);
    }
}
