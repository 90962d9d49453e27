package io.rankfeed.feeder.transform;

import io.rankfeed.feeder.transform.step.Decode;
import io.rankfeed.feeder.transform.step.ImageShape;
import io.rankfeed.feeder.transform.step.PixelLayout;
import io.rankfeed.feeder.transform.step.Step;
import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.manifest.ColumnStatistics;
import java.util.List;
import java.util.Optional;

/**
 * The pipeline that makes a column of pixels from a column of the version.
 *
 * @param source a field: image files (binary), or pixels (uint8 of [height, width, 3])
 * @param steps in order; {@link Decode} first where the source has files
 * @param layout of the tensor
 * @param broken what is fed for a row whose image is missing or broken
 * @param seed of the steps' random numbers; empty: the feed's. Columns with the same seed and steps are changed alike.
 * @param normalize what the client does with the pixels; empty: it gives them as they are
 */
public record Pipeline(
        String source,
        List<Step> steps,
        PixelLayout layout,
        OnBroken broken,
        Optional<Long> seed,
        Optional<Normalization> normalize) {
    public Pipeline {
        steps = List.copyOf(steps);
    }

    /** Whether the source has files. */
    public boolean decodes() {
        return !steps.isEmpty() && steps.get(0) instanceof Decode;
    }

    /**
     * Binds this pipeline to the images of a field.
     *
     * @param column name of the column, for messages
     * @param otherwise the seed if the pipeline has none of its own
     * @param measured the statistics of the field, if the version has any
     * @throws ConfigException if the steps do not fit the field or each other, or leave images of different sizes
     */
    public BoundPipeline bound(String column, Field field, long otherwise, Optional<ColumnStatistics> measured) {
        ImageShape source = source(column, field);
        ImageShape shape = source;
        for (int i = decodes() ? 1 : 0; i < steps.size(); i++) {
            try {
                shape = steps.get(i).after(shape);
            } catch (ConfigException e) {
                throw new ConfigException("column '" + column + "', steps[" + i + "]: " + e.getMessage(), e);
            }
        }
        if (!shape.isFixed()) {
            throw new ConfigException("column '" + column
                    + "': images of different sizes cannot be one tensor; end with a step that gives a size, as"
                    + " resize: {height: 224, width: 224} or center-crop: {height: 224, width: 224}");
        }
        return new BoundPipeline(
                this,
                source,
                shape,
                seed.orElse(otherwise),
                normalize.map(wanted -> measured(column, wanted, measured)));
    }

    private Normalization measured(String column, Normalization wanted, Optional<ColumnStatistics> measured) {
        if (wanted.from().isEmpty()) {
            return wanted;
        }
        return measured.filter(found -> found.mean().isPresent() && found.std().isPresent())
                .map(found ->
                        wanted.measured(found.mean().getAsDouble(), found.std().getAsDouble()))
                .orElseThrow(
                        () -> new ConfigException("column '" + column + "': the version has no statistics of '" + source
                                + "', which only pixels can have (prepare.statistics in the job); write mean and std"));
    }

    private ImageShape source(String column, Field field) {
        if (field.dtype() == DType.BINARY) {
            if (!decodes()) {
                throw new ConfigException(
                        "column '" + column + "': field '" + source + "' has files; the first step must be decode");
            }
            return ImageShape.ANY;
        }
        List<Integer> dims = field.shape().dims();
        boolean isImage = field.dtype() == DType.UINT8
                && field.kind() == Field.Kind.FIXED
                && dims.size() == 3
                && dims.get(2) == 3;
        if (!isImage) {
            throw new ConfigException("column '" + column + "': field '" + source + "' is "
                    + field.dtype().id() + " " + field.shape()
                    + "; image steps need files (binary) or pixels (uint8 [height, width, 3])");
        }
        if (decodes()) {
            throw new ConfigException("column '" + column + "': field '" + source + "' has pixels; remove decode");
        }
        return new ImageShape(dims.get(0), dims.get(1));
    }
}
