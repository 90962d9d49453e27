package io.rankfeed.feeder.preview;

import io.rankfeed.feeder.transform.step.Border;
import io.rankfeed.feeder.transform.step.Canvas;
import io.rankfeed.feeder.transform.step.Decode;
import io.rankfeed.feeder.transform.step.ImageShape;
import io.rankfeed.feeder.transform.step.Interpolation;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.feeder.transform.step.RejectedImageException;
import io.rankfeed.schema.image.ImageHeader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A canvas that says in words which operations changed its image, with the numbers that were drawn. */
final class RecordingCanvas implements Canvas {
    private final Canvas canvas;
    private final List<String> operations = new ArrayList<>();

    RecordingCanvas(Canvas canvas) {
        this.canvas = canvas;
    }

    /** The operations since the image was decoded or viewed. */
    List<String> operations() {
        return List.copyOf(operations);
    }

    @Override
    public void decode(
            MemorySegment memory, long offset, int lengthBytes, ImageHeader header, int reduction, Decode options)
            throws RejectedImageException {
        operations.clear();
        canvas.decode(memory, offset, lengthBytes, header, reduction, options);
        operations.add(String.format(
                Locale.ROOT,
                "decode %d × %d%s",
                height(),
                width(),
                reduction > 1 ? " (1/" + reduction + " of the size)" : ""));
    }

    @Override
    public void view(MemorySegment memory, long offset, int height, int width) {
        operations.clear();
        canvas.view(memory, offset, height, width);
    }

    @Override
    public void crop(int x, int y, int width, int height) {
        canvas.crop(x, y, width, height);
        operations.add(String.format(Locale.ROOT, "crop x %d, y %d, %d × %d", x, y, height, width));
    }

    @Override
    public void resize(int width, int height, Interpolation interpolation) {
        canvas.resize(width, height, interpolation);
        operations.add(String.format(Locale.ROOT, "resize %d × %d", height, width));
    }

    @Override
    public void resizeAsPillow(int width, int height, Interpolation interpolation) {
        canvas.resizeAsPillow(width, height, interpolation);
        operations.add(String.format(Locale.ROOT, "resize %d × %d", height, width));
    }

    @Override
    public void flipHorizontally() {
        canvas.flipHorizontally();
        operations.add("flip horizontally");
    }

    @Override
    public void flipVertically() {
        canvas.flipVertically();
        operations.add("flip vertically");
    }

    @Override
    public void pad(int top, int bottom, int left, int right, int red, int green, int blue) {
        canvas.pad(top, bottom, left, right, red, green, blue);
        operations.add(
                String.format(Locale.ROOT, "pad top %d, bottom %d, left %d, right %d", top, bottom, left, right));
    }

    /** The matrix turns and scales about the middle of the image, and then moves. */
    @Override
    public void warp(double[] matrix, Interpolation interpolation, Border border, List<Integer> value) {
        double x = (canvas.width() - 1) / 2.0;
        double y = (canvas.height() - 1) / 2.0;
        canvas.warp(matrix, interpolation, border, value);
        operations.add(String.format(
                Locale.ROOT,
                "rotate %.2f°, scale %.3f, shift right %.2f, down %.2f",
                Math.toDegrees(Math.atan2(matrix[1], matrix[0])),
                Math.hypot(matrix[0], matrix[1]),
                matrix[0] * x + matrix[1] * y + matrix[2] - x,
                matrix[3] * x + matrix[4] * y + matrix[5] - y));
    }

    @Override
    public void scaleAndAdd(double factor, double added) {
        canvas.scaleAndAdd(factor, added);
        operations.add(String.format(Locale.ROOT, "multiply by %.3f, add %.2f", factor, added));
    }

    @Override
    public void saturate(double factor) {
        canvas.saturate(factor);
        operations.add(String.format(Locale.ROOT, "saturate %.3f", factor));
    }

    @Override
    public void turnHue(double fraction) {
        canvas.turnHue(fraction);
        operations.add(String.format(Locale.ROOT, "turn hue by %.3f of the circle", fraction));
    }

    @Override
    public int width() {
        return canvas.width();
    }

    @Override
    public int height() {
        return canvas.height();
    }

    @Override
    public void write(MemorySegment slot, long offset, ImageShape shape, PixelLayout layout) {
        canvas.write(slot, offset, shape, layout);
    }

    @Override
    public void draw(String text, int x, int y) {
        canvas.draw(text, x, y);
    }

    @Override
    public void trim(long keptBytes) {
        canvas.trim(keptBytes);
    }

    @Override
    public double meanGray() {
        return canvas.meanGray();
    }

    @Override
    public void close() {
        canvas.close();
    }
}
