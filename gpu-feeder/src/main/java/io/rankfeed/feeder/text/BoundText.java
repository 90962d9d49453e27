package io.rankfeed.feeder.text;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.config.ConfigJson;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.json.CanonicalJson;
import java.util.Map;
import java.util.Optional;

/**
 * Text rules that fit the fields of a version.
 *
 * @param tokens token ids, [n]
 * @param prompt numbers of prompt tokens, [] or with members [members]
 * @param spans pairs of tokens to predict, [k, 2] or [2 k]
 * @param members lengths of packed sequences, [members]
 * @param images lists of the images that placeholders stand for
 * @param seed of the masked tokens
 * @param longestSource tokens of the longest row
 * @param longestRow the same after placeholders are replaced
 * @param maxTokens maximum number of tokens of a row in a batch
 * @param maxMembers maximum number of sequences of a row
 * @param maxSpans maximum number of bounds of spans of a row
 */
public record BoundText(
        TextRules rules,
        Field tokens,
        Optional<Field> prompt,
        Optional<Field> spans,
        Optional<Field> members,
        Optional<Field> images,
        long seed,
        int longestSource,
        int longestRow,
        int maxTokens,
        int maxMembers,
        int maxSpans) {
    /**
     * @param column name of the ids' tensor, for messages
     * @param source name of the tokens' field
     * @param maxLengths elements of the longest row of each variable field
     * @param maxItems items of the longest list of each field of lists
     * @throws ConfigException if a field is unknown or has another type, or rows may be longer than their batch
     */
    public static BoundText of(
            String column,
            String source,
            TextRules rules,
            SampleSchema schema,
            Map<String, Long> maxLengths,
            Map<String, Long> maxItems,
            long seed) {
        Field tokens = integers(column, schema, source, false);
        boolean isPacked = rules.members().isPresent();
        Optional<Field> members = rules.members().map(name -> integers(column, schema, name, false));
        Optional<Field> images = rules.images().map(rule -> images(column, schema, rule.from()));
        long expanded = maxLengths.getOrDefault(tokens.name(), 0L)
                + rules.images()
                        .map(rule -> maxItems.getOrDefault(rule.from(), 0L) * (rule.patches() - 1))
                        .orElse(0L);
        if (rules.images().isPresent() && expanded > TextRules.MAX_LENGTH) {
            throw new ConfigException(
                    "column '" + column + "': with the patches of its images a row may have " + expanded
                            + " tokens, at most " + TextRules.MAX_LENGTH + "; filter rows with many images in the job");
        }
        long longest = expanded + (rules.eos().isPresent() ? 1 : 0);
        long max = Math.min(longest, rules.maxLength().orElse(TextRules.MAX_LENGTH));
        if (longest > TextRules.MAX_LENGTH && rules.maxLength().isEmpty()) {
            throw new ConfigException("column '" + column + "': the longest row has " + longest + " tokens, at most "
                    + TextRules.MAX_LENGTH + "; set max-length");
        }
        if (max > rules.padToLength().orElse(TextRules.MAX_LENGTH)) {
            throw new ConfigException("column '" + column + "': pad-to-length is "
                    + rules.padToLength().orElseThrow() + ", but rows have up to " + max
                    + " tokens; set max-length to at most pad-to-length");
        }
        Optional<Field> spans = rules.spans().map(name -> spans(column, schema, name));
        return new BoundText(
                rules,
                tokens,
                rules.prompt().map(name -> integers(column, schema, name, !isPacked)),
                spans,
                members,
                images,
                seed,
                longest(tokens, maxLengths),
                (int) Math.min(expanded, Integer.MAX_VALUE),
                (int) max,
                members.map(field -> Math.max(1, longest(field, maxLengths))).orElse(1),
                spans.map(field -> longest(field, maxLengths)).orElse(0));
    }

    private static int longest(Field field, Map<String, Long> maxLengths) {
        return (int) Math.min(maxLengths.getOrDefault(field.name(), 0L), Integer.MAX_VALUE);
    }

    /** Formats everything that determines the values: equal rules give equal text. */
    public String canonical() {
        return tokens.name()
                + ' '
                + CanonicalJson.compactText(ConfigJson.toJson(rules))
                + (rules.mask().isPresent() ? " " + seed : "");
    }

    /** Maximum number of tokens along the variable dimension of a padded tensor. */
    public int maxWidth() {
        return width(maxTokens);
    }

    /** The width of a padded batch whose longest row has {@code longest} tokens. */
    public int width(int longest) {
        if (rules.padToLength().isPresent()) {
            return rules.padToLength().get();
        }
        int multiple = rules.padToMultipleOf().orElse(1);
        return Math.ceilDiv(Math.max(longest, 1), multiple) * multiple;
    }

    private static Field integers(String column, SampleSchema schema, String name, boolean isScalar) {
        Field field = find(column, schema, name);
        boolean fits = isScalar
                ? field.shape().rank() == 0
                : field.shape().isVariable() && field.shape().rank() == 1;
        if (!IntegerReader.reads(field) || !fits) {
            throw unfit(column, field, isScalar ? "one integer per row" : "a list of integers per row");
        }
        return field;
    }

    private static Field spans(String column, SampleSchema schema, String name) {
        Field field = find(column, schema, name);
        boolean isPairs = field.shape().isVariable()
                && (field.shape().rank() == 1
                        || (field.shape().rank() == 2 && field.shape().dims().get(1) == 2));
        if (!IntegerReader.reads(field) || !isPairs) {
            throw unfit(column, field, "pairs of integers (shape [null, 2] or [null])");
        }
        return field;
    }

    private static Field images(String column, SampleSchema schema, String name) {
        Field field = find(column, schema, name);
        if (field.kind() != Field.Kind.LIST || field.dtype() != DType.BINARY) {
            throw unfit(column, field, "a list of images per row; of one image write array(image) in the job's query");
        }
        return field;
    }

    private static Field find(String column, SampleSchema schema, String name) {
        return schema.find(name)
                .orElseThrow(() -> new ConfigException(
                        "column '" + column + "': no column '" + name + "'" + Suggestion.hint(name, schema.names())));
    }

    private static ConfigException unfit(String column, Field field, String wanted) {
        return new ConfigException("column '" + column + "': field '" + field.name() + "' is "
                + field.dtype().id() + " " + field.shape() + "; text rules need " + wanted);
    }
}
