package io.rankfeed.feeder.transform.step;

import io.rankfeed.schema.image.ImageHeader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A canvas with a size and without pixels, which records its operations. */
final class RecordingCanvas implements Canvas {
    final List<double[]> crops = new ArrayList<>();
    final List<double[]> warps = new ArrayList<>();
    final List<double[]> scalings = new ArrayList<>();
    final List<String> names = new ArrayList<>();
    private int width;
    private int height;

    RecordingCanvas size(int newHeight, int newWidth) {
        height = newHeight;
        width = newWidth;
        return this;
    }

    @Override
    public int width() {
        return width;
    }

    @Override
    public int height() {
        return height;
    }

    @Override
    public void write(MemorySegment slot, long offset, ImageShape shape, PixelLayout layout) {
        names.add("write");
    }

    @Override
    public void decode(
            MemorySegment memory, long offset, int lengthBytes, ImageHeader header, int reduction, Decode options) {
        names.add("decode");
    }

    @Override
    public void view(MemorySegment memory, long offset, int newHeight, int newWidth) {
        size(newHeight, newWidth);
    }

    @Override
    public void crop(int x, int y, int newWidth, int newHeight) {
        crops.add(new double[] {x, y, newWidth, newHeight, width, height});
        size(newHeight, newWidth);
    }

    @Override
    public void resize(int newWidth, int newHeight, Interpolation interpolation) {
        names.add("resize");
        size(newHeight, newWidth);
    }

    @Override
    public void resizeAsPillow(int newWidth, int newHeight, Interpolation interpolation) {
        names.add("resizeAsPillow");
        size(newHeight, newWidth);
    }

    @Override
    public void flipHorizontally() {
        names.add("flipHorizontally");
    }

    @Override
    public void flipVertically() {
        names.add("flipVertically");
    }

    @Override
    public void pad(int top, int bottom, int left, int right, int red, int green, int blue) {
        names.add("pad " + top + " " + bottom + " " + left + " " + right);
        size(height + top + bottom, width + left + right);
    }

    @Override
    public void warp(double[] matrix, Interpolation interpolation, Border border, List<Integer> value) {
        warps.add(matrix);
    }

    @Override
    public void scaleAndAdd(double factor, double added) {
        names.add("scaleAndAdd");
        scalings.add(new double[] {factor, added});
    }

    @Override
    public void saturate(double factor) {
        names.add("saturate");
    }

    @Override
    public void turnHue(double fraction) {
        names.add("turnHue");
    }

    @Override
    public void draw(String text, int x, int y) {
        names.add("draw " + text);
    }

    @Override
    public void trim(long keptBytes) {}

    @Override
    public double meanGray() {
        names.add("meanGray");
        return 100;
    }

    @Override
    public void close() {}
}
