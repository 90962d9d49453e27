package io.rankfeed.feeder.transform;

import io.rankfeed.feeder.transform.step.ImageShape;
import io.rankfeed.schema.config.ConfigJson;
import io.rankfeed.schema.json.CanonicalJson;
import java.util.Optional;

/**
 * A pipeline that fits a field.
 *
 * @param source shape of the field's images; {@link ImageShape#ANY} where it has files
 * @param shape of every image after the last step
 * @param seed of the steps' random numbers
 * @param normalize what the client does with the pixels, with all its numbers
 */
public record BoundPipeline(
        Pipeline pipeline, ImageShape source, ImageShape shape, long seed, Optional<Normalization> normalize) {
    /** The same steps with other random numbers. */
    public BoundPipeline withSeed(long other) {
        return new BoundPipeline(pipeline, source, shape, other, normalize);
    }

    /** Formats everything that determines the values: equal pipelines give equal text. */
    public String canonical() {
        return CanonicalJson.compactText(ConfigJson.toJson(this));
    }

    /** The size of one row's image in a slot, in bytes. */
    public int rowBytes() {
        return shape.height() * shape.width() * 3;
    }
}
