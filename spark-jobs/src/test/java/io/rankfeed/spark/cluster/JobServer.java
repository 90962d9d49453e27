package io.rankfeed.spark.cluster;

import io.rankfeed.spark.RankfeedJobs;
import io.rankfeed.spark.run.LocalSpark;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/**
 * Runs jobs in turn in one JVM, until its input ends, for end-to-end tests that need what a job makes and not its start. A
 * line of the input has the words of a command, URL-encoded, with spaces between. After what the command prints comes a line
 * with its exit code. Each command has a Spark context of its own.
 */
public final class JobServer {
    private JobServer() {}

    public static void main(String[] args) throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String[] words = Stream.of(line.split(" ", -1))
                    .map(word -> URLDecoder.decode(word, StandardCharsets.UTF_8))
                    .toArray(String[]::new);
            int exitCode = RankfeedJobs.execute(words);
            LocalSpark.stop();
            System.out.println("\nexit " + exitCode);
        }
    }
}
