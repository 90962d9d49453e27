package io.rankfeed.spark.function;

import io.rankfeed.export.commit.Storage;
import io.rankfeed.job.TokenizerSection;
import io.rankfeed.schema.failure.ConfigException;
import io.rankfeed.schema.failure.CorruptDataException;
import io.rankfeed.schema.failure.Suggestion;
import io.rankfeed.schema.json.StrictJson;
import io.rankfeed.spark.engine.Argument;
import io.rankfeed.text.chat.ChatOptions;
import io.rankfeed.text.tokenizer.SpecialTokens;
import io.rankfeed.text.tokenizer.TokenizerCheck;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** The tokenizers that a job names. */
final class JobTokenizers {
    private static final long MAX_BYTES = 256L << 20;
    private static final long MAX_CHAT_BYTES = 16L << 20;
    /** The files next to the configuration to which transformers 5 writes chat templates, by the template's name. */
    private static final Map<String, String> JINJA = Map.of(
            ChatFile.DEFAULT, "chat_template.jinja",
            ChatFile.WITH_TOOLS, "additional_chat_templates/tool_use.jinja");

    private final Map<String, TokenizerFile> files = new LinkedHashMap<>();

    private JobTokenizers() {}

    /**
     * Reads and checks every file, and opens it in this JVM.
     *
     * @throws ConfigException if a file is missing
     * @throws CorruptDataException if a file is not a tokenizer, or not UTF-8
     */
    static JobTokenizers read(SparkSession spark, Configuration conf, Map<String, TokenizerSection> sections) {
        JobTokenizers tokenizers = new JobTokenizers();
        sections.forEach((name, section) -> tokenizers.files.put(name, read(spark, conf, name, section)));
        return tokenizers;
    }

    private static TokenizerFile read(SparkSession spark, Configuration conf, String name, TokenizerSection section) {
        Path path = new Path(section.file());
        byte[] bytes = Storage.read(Storage.of(path, conf), path, MAX_BYTES)
                .orElseThrow(() -> new ConfigException("prepare.tokenizers." + name + ": there is no file "
                        + section.file() + "; it is the tokenizer.json of a model, copied here before"));
        TokenizerFile file = new TokenizerFile(
                section.file(),
                TokenizerCheck.pass(section.file(), bytes),
                section.specialTokens() ? SpecialTokens.ADDED : SpecialTokens.LEFT_OUT,
                JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(bytes),
                section.chat()
                        .map(chat -> chat(conf, name, chat, options(section)))
                        .orElse(null));
        file.tokenizer();
        return file;
    }

    private static ChatOptions options(TokenizerSection section) {
        return new ChatOptions(section.presentDate().orElse(null), EnumSet.copyOf(section.trainOn()));
    }

    private static ChatFile chat(Configuration conf, String name, String file, ChatOptions options) {
        Path path = new Path(file);
        byte[] bytes = Storage.read(Storage.of(path, conf), path, MAX_CHAT_BYTES)
                .orElseThrow(() -> new ConfigException("prepare.tokenizers." + name + ".chat: there is no file " + file
                        + "; it is the tokenizer_config.json of a model, copied here before"));
        SortedMap<String, byte[]> jinja = new TreeMap<>();
        JINJA.forEach((template, relative) -> {
            Path written = new Path(path.getParent(), relative);
            Storage.read(Storage.of(written, conf), written, MAX_CHAT_BYTES).ifPresent(source -> {
                StrictJson.requireUtf8(source, written.toString());
                jinja.put(template, source);
            });
        });
        return ChatFile.read(file, bytes, jinja, options);
    }

    /** Finds a tokenizer by its name in the job, which is the first argument of a function. */
    TokenizerFile find(String function, Argument argument) {
        String name = argument.text(function, "the tokenizer's name");
        TokenizerFile file = files.get(name);
        if (file == null) {
            throw new ConfigException(function + ": unknown tokenizer '" + name + "' under prepare.tokenizers"
                    + Suggestion.hint(name, files.keySet()));
        }
        return file;
    }

    /** The tokenizers by name. */
    Map<String, TokenizerFile> files() {
        return Collections.unmodifiableMap(files);
    }
}
