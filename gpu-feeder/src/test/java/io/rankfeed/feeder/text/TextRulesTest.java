package io.rankfeed.feeder.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rankfeed.schema.DType;
import io.rankfeed.schema.Field;
import io.rankfeed.schema.SampleSchema;
import io.rankfeed.schema.Shape;
import io.rankfeed.schema.config.ConfigDocument;
import io.rankfeed.schema.failure.ConfigException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the values of a text section, and the fields that it accepts. */
class TextRulesTest {
    private static final Shape LIST = Shape.of(Shape.VARIABLE);
    private static final SampleSchema SCHEMA = new SampleSchema(List.of(
            new Field("tokens", DType.INT32, LIST, false),
            new Field("wide", DType.UINT64, LIST, false),
            new Field("pairs", DType.INT32, Shape.of(Shape.VARIABLE, 2), false),
            new Field("triples", DType.INT32, Shape.of(Shape.VARIABLE, 3), false),
            new Field("prompt", DType.INT32, Shape.of(), false),
            new Field("score", DType.FLOAT32, Shape.of(), false),
            new Field("image", DType.BINARY, Shape.of(), false),
            new Field("titles", DType.STRING, LIST, false),
            new Field("images", DType.BINARY, LIST, false)));
    private static final Map<String, Long> LENGTHS = Map.of("tokens", 100L, "pairs", 8L, "images", 1L << 30);
    private static final Map<String, Long> ITEMS = Map.of("images", 1000L);

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {tensors: [label]}                             | unknown tensor 'label'
        {tensors: [labels, labels]}                    | has a duplicate
        {layout: flat, tensors: [attention_mask]}      | no padding to mask
        {tensors: [cu_seqlens]}                        | needs layout: flat
        {layout: flat, pad-to-multiple-of: 8}          | a flat batch has no padding
        {layout: flat, pad-to-length: 8}               | a flat batch has no padding
        {pad-to-length: 8, pad-to-multiple-of: 8}      | excludes pad-to-multiple-of
        {truncate: left}                               | needs max-length
        {prompt: prompt, spans: pairs}                 | excludes prompt
        {members: tokens, eos: {id: 2}}                | append the token in the job's query
        {members: tokens, tensors: [attention_mask, position_ids, labels]} | cannot be combined with attention_mask
        {members: tokens, tensors: [attention_mask, seq_idx]} | write tensors: [position_ids, labels, seq_idx]
        {members: tokens, tensors: [labels]}           | need position_ids, seq_idx, cu_seqlens or cu_seq_lens
        {members: tokens, tensors: []}                 | need position_ids, seq_idx, cu_seqlens or cu_seq_lens
        {members: tokens, layout: flat, tensors: [labels]} | need position_ids, seq_idx, cu_seqlens or cu_seq_lens
        {layout: flat, tensors: [labels]}              | need position_ids, seq_idx, cu_seqlens or cu_seq_lens
        {members: tokens, mask: {id: 3, vocabulary: 9}, tensors: [labels, position_ids]} | need seq_idx, cu_seqlens or
        {layout: flat, mask: {id: 3, vocabulary: 9}, tensors: [labels, position_ids]} | need seq_idx, cu_seqlens or
        {tensors: [], prompt: prompt}                  | need labels
        {tensors: [], future: 2}                       | need labels
        {tensors: [], ignore-ids: [2]}                 | need labels
        {mask: {id: 3, vocabulary: 9}, prompt: prompt} | excludes prompt, spans and future
        {mask: {id: 3, vocabulary: 9, replace: 0.8, random: 0.3}} | must be at most 1
        {mask: {id: 3, vocabulary: 9, probability: 1.5}} | must be 0 to 1
        {mask: {id: 3}}                                | vocabulary
        {members: tokens, images: {from: images, placeholder: 3, patches: 4}} | excludes members and mask
        {mask: {id: 3, vocabulary: 9}, images: {from: images, placeholder: 3, patches: 4}} | excludes members and mask
        {images: {from: images, placeholder: 3, patches: 0}} | must be 1 to 65536
        {max-length: 0}                                | must be 1 to
        {future: 65}                                   | must be 1 to 64
        {eos: {}}                                      | id
        {max-lenght: 8}                                | unknown key; did you mean 'max-length'
        """)
    void rules_contradiction_isRefusedWithKey(String yaml, String message) {
        assertThatThrownBy(() -> rules(yaml))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        token  | {}                       | no column 'token'; did you mean 'tokens'
        wide   | {}                       | text rules need a list of integers per row
        prompt | {}                       | text rules need a list of integers per row
        pairs  | {}                       | text rules need a list of integers per row
        tokens | {prompt: tokens}         | text rules need one integer per row
        tokens | {prompt: score}          | text rules need one integer per row
        tokens | {spans: triples}         | text rules need pairs of integers
        tokens | {members: prompt}        | text rules need a list of integers per row
        tokens | {prompt: prompt, members: tokens} | text rules need a list of integers per row
        tokens | {images: {from: image, placeholder: 3, patches: 4}} | array(image)
        tokens | {images: {from: titles, placeholder: 3, patches: 4}} | text rules need a list of images per row
        tokens | {images: {from: pictures, placeholder: 3, patches: 4}} | no column 'pictures'
        tokens | {images: {from: images, placeholder: 3, patches: 20000}} | a row may have 19999100 tokens
        tokens | {pad-to-length: 3099, images: {from: images, placeholder: 3, patches: 4}} | rows have up to 3100 tokens
        tokens | {pad-to-length: 99}      | set max-length to at most pad-to-length
        tokens | {pad-to-length: 100, eos: {id: 2}} | rows have up to 101 tokens
        """)
    void field_otherType_isRefused(String source, String yaml, String message) {
        assertThatThrownBy(() -> bound(source, yaml))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message);
    }

    @Test
    void width_max_followsFromRowsAndRules() {
        assertThat(bound("tokens", "{}").maxWidth()).isEqualTo(100);
        assertThat(bound("tokens", "{eos: {id: 2}}").maxWidth()).isEqualTo(101);
        assertThat(bound("tokens", "{max-length: 60, truncate: right}").maxWidth())
                .isEqualTo(60);
        assertThat(bound("tokens", "{pad-to-multiple-of: 64}").maxWidth()).isEqualTo(128);
        assertThat(bound("tokens", "{pad-to-multiple-of: 50}").maxWidth()).isEqualTo(100);
        assertThat(bound("tokens", "{pad-to-length: 100}").maxWidth()).isEqualTo(100);
        assertThat(bound("tokens", "{pad-to-length: 300}").maxWidth()).isEqualTo(300);
        assertThat(bound("tokens", "{}").width(0)).isEqualTo(1);
    }

    /** A plain attention mask would let members see each other. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {}                                                         | attention_mask, labels
        {layout: flat}                                             | position_ids, labels, cu_seqlens
        {members: tokens}                                          | position_ids, labels, seq_idx
        {members: tokens, mask: {id: 3, vocabulary: 9}}            | position_ids, labels, seq_idx
        {members: tokens, layout: flat}                            | position_ids, labels, cu_seqlens
        {layout: flat, tensors: []}                                |
        {members: tokens, tensors: [labels, seq_idx]}              | labels, seq_idx
        {members: tokens, layout: flat, tensors: [labels, cu_seq_lens]} | labels, cu_seq_lens
        """)
    void tensors_made_separateSequences(String yaml, @Nullable String tensors) {
        assertThat(rules(yaml).made().stream().map(TextTensor::id))
                .isEqualTo(tensors == null ? List.of() : List.of(tensors.split(", ")));
    }

    @Test
    void seed_withoutMask_isNoPartOfTheRules() {
        assertThat(bound("tokens", "{}").canonical())
                .isEqualTo(bound("tokens", "{}", 9).canonical());
        String masked = "{mask: {id: 3, vocabulary: 9}}";
        assertThat(bound("tokens", masked).canonical())
                .isNotEqualTo(bound("tokens", masked, 9).canonical());
        assertThat(bound("tokens", "{pad-id: 1}").canonical())
                .isNotEqualTo(bound("tokens", "{}").canonical());
    }

    private static TextRules rules(String yaml) {
        return ConfigDocument.parse("text", yaml).bind(TextRules.class);
    }

    private static BoundText bound(String source, String yaml) {
        return bound(source, yaml, 0);
    }

    private static BoundText bound(String source, String yaml, long seed) {
        return BoundText.of("input_ids", source, rules(yaml), SCHEMA, LENGTHS, ITEMS, seed);
    }
}
