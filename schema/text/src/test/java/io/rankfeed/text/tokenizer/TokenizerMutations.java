package io.rankfeed.text.tokenizer;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Damaged tokenizer.json files: changed bytes, and changed values of valid JSON. */
final class TokenizerMutations {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What is damaged: each of them is accepted as it is. */
    static final List<String> SOUND = List.of(TokenizerTest.json(), """
            {"version":"1.0","truncation":null,"padding":null,
             "added_tokens":[{"id":0,"content":"[UNK]","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true},
                             {"id":7,"content":"[CLS]","single_word":true,"lstrip":true,"rstrip":true,"normalized":true,"special":true}],
             "normalizer":{"type":"Sequence","normalizers":[{"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,
               "strip_accents":null,"lowercase":true},{"type":"Replace","pattern":{"Regex":"\\\\s+"},"content":" "},{"type":"Strip","strip_left":true,"strip_right":true}]},
             "pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Whitespace"},{"type":"Split","pattern":{"String":"-"},
               "behavior":"Isolated","invert":false},{"type":"Digits","individual_digits":true},{"type":"Punctuation","behavior":"Removed"}]},
             "post_processor":{"type":"BertProcessing","sep":["a",1],"cls":["[CLS]",7]},
             "decoder":{"type":"WordPiece","prefix":"##","cleanup":true},
             "model":{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100,
               "vocab":{"[UNK]":0,"a":1,"b":2,"##a":3,"##b":4,"th":5,"##e":6,"[CLS]":7}}}
            """, """
            {"version":"1.0","truncation":null,"padding":null,"added_tokens":[],
             "normalizer":{"type":"Sequence","normalizers":[{"type":"NFKC"},{"type":"Prepend","prepend":"▁"},{"type":"Lowercase"}]},
             "pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true},
             "post_processor":{"type":"RobertaProcessing","sep":["a",1],"cls":["b",2],"trim_offsets":true,"add_prefix_space":true},
             "decoder":{"type":"Sequence","decoders":[{"type":"ByteFallback"},{"type":"Fuse"},{"type":"Strip","content":" ","start":1,"stop":0}]},
             "model":{"type":"Unigram","unk_id":0,"byte_fallback":false,"vocab":[["<unk>",0.0],["a",-1.5],["b",-2.5],["▁",-3.0],["ab",-2.0],["the",-4.0]]}}
            """);

    private static final List<String> COMPONENTS = List.of(
            "{\"type\":\"Precompiled\"}",
            "{\"type\":\"Precompiled\",\"precompiled_charsmap\":\"AAAA\"}",
            "{\"type\":\"Precompiled\",\"precompiled_charsmap\":\"\"}",
            "{\"type\":\"Sequence\",\"normalizers\":[]}",
            "{\"type\":\"Split\",\"pattern\":{\"Regex\":\"(\"},\"behavior\":\"Isolated\",\"invert\":false}",
            "{\"type\":\"Split\",\"pattern\":{\"Regex\":\"\"},\"behavior\":\"MergedWithNext\",\"invert\":true}",
            "{\"type\":\"Replace\",\"pattern\":{\"String\":\"\"},\"content\":\"x\"}",
            "{\"type\":\"Metaspace\",\"replacement\":\"\"}",
            "{\"type\":\"CharDelimiterSplit\",\"delimiter\":\"\"}",
            "{\"type\":\"FixedLength\",\"length\":0}",
            "{\"type\":\"ByteLevel\",\"add_prefix_space\":true,\"trim_offsets\":true,\"use_regex\":false}",
            "{\"type\":\"TemplateProcessing\",\"single\":[],\"pair\":[],\"special_tokens\":{}}",
            "{\"type\":\"TemplateProcessing\",\"single\":[{\"Sequence\":{\"id\":\"B\",\"type_id\":0}}],\"pair\":[],\"special_tokens\":{}}",
            "{\"type\":\"WordLevel\",\"vocab\":{},\"unk_token\":\"\"}",
            "{\"type\":\"Unigram\",\"vocab\":[],\"unk_id\":null}",
            "{\"type\":\"BPE\",\"vocab\":{},\"merges\":[\"a b\"]}",
            "{\"type\":\"UnicodeScripts\"}",
            "{\"type\":\"Nmt\"}");
    private static final List<String> VALUES = List.of(
            "null",
            "true",
            "\"\"",
            "\"a\"",
            "\"\\u0000\"",
            "\"\\ud83d\\ude00\"",
            "[]",
            "{}",
            "[[]]",
            "0",
            "-1",
            "1",
            "1.5",
            "1e308",
            "-1e308",
            "255",
            "2147483647",
            "2147483648",
            "4294967295",
            "4294967296",
            "9223372036854775807",
            "18446744073709551615");

    private final Random random;

    TokenizerMutations(Random random) {
        this.random = random;
    }

    byte[] next() {
        String sound = one(SOUND);
        return random.nextInt(3) == 0 ? ofBytes(sound) : ofValues(sound);
    }

    private byte[] ofBytes(String sound) {
        byte[] bytes = sound.getBytes(StandardCharsets.UTF_8);
        for (int i = 1 + random.nextInt(2); i > 0; i--) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(4)) {
                case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 1 -> bytes[at] = (byte) "{}[]\",:0-x".charAt(random.nextInt(10));
                case 2 -> bytes = Arrays.copyOf(bytes, at + 1);
                default -> {
                    byte[] less = Arrays.copyOf(bytes, bytes.length - 1);
                    System.arraycopy(bytes, at + 1, less, at, bytes.length - at - 1);
                    bytes = less;
                }
            }
        }
        return bytes;
    }

    private byte[] ofValues(String sound) {
        try {
            JsonNode tree = JSON.readTree(sound);
            for (int i = random.nextInt(4) == 0 ? 3 : 1; i > 0; i--) {
                List<JsonNode> containers = new ArrayList<>();
                collect(tree, containers);
                change(one(containers.stream().filter(node -> !node.isEmpty()).toList()), containers);
            }
            return JSON.writeValueAsBytes(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private void change(JsonNode container, List<JsonNode> all) throws JsonProcessingException {
        JsonNode value =
                switch (random.nextInt(4)) {
                    case 0 -> JSON.readTree(one(COMPONENTS));
                    case 1 -> one(all).deepCopy();
                    default -> JSON.readTree(one(VALUES));
                };
        boolean isRemoved = random.nextInt(4) == 0;
        if (container instanceof ObjectNode object) {
            List<String> names = new ArrayList<>();
            object.fieldNames().forEachRemaining(names::add);
            if (isRemoved) {
                object.remove(one(names));
            } else {
                object.set(one(names), value);
            }
        } else if (container instanceof ArrayNode list) {
            int at = random.nextInt(list.size());
            if (isRemoved) {
                list.remove(at);
            } else {
                list.set(at, value);
            }
        }
    }

    /** The vocabulary counts as one of them, or most changes would be in it. */
    private static void collect(JsonNode node, List<JsonNode> containers) {
        if (node.isContainerNode() && containers.size() < 200) {
            containers.add(node);
            node.forEach(child -> collect(child, containers));
        }
    }

    private <T> T one(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }
}
