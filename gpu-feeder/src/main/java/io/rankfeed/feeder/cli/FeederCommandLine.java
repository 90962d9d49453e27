package io.rankfeed.feeder.cli;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;

/** The command with which a supervisor starts its feeder: the same Java and JVM flags, and the user's arguments up to {@code --}. */
final class FeederCommandLine {
    private static final String END_OF_FLAGS = "--";

    private FeederCommandLine() {}

    /**
     * @param instead words in place of some of the user's
     * @param more words that the user did not write
     */
    static List<String> of(CommandSpec spec, Map<String, String> instead, List<String> more) {
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        line.add("-cp");
        line.add(System.getProperty("java.class.path"));
        line.add(spec.root().userObject().getClass().getName());
        List<String> words = words(spec);
        words.subList(0, end(words)).forEach(word -> line.add(instead.getOrDefault(word, word)));
        line.addAll(more);
        line.add("--supervised-by");
        line.add(Long.toString(ProcessHandle.current().pid()));
        return line;
    }

    /** The user's words after {@code --}. */
    static List<String> command(CommandSpec spec) {
        List<String> words = words(spec);
        return words.subList(Math.min(end(words) + 1, words.size()), words.size());
    }

    private static List<String> words(CommandSpec spec) {
        return spec.root().commandLine().getParseResult().originalArgs();
    }

    private static int end(List<String> words) {
        int end = words.indexOf(END_OF_FLAGS);
        return end < 0 ? words.size() : end;
    }
}
