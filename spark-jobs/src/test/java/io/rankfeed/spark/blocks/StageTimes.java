package io.rankfeed.spark.blocks;

import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;

final class StageTimes extends SparkListener {
    @Override
    public void onStageCompleted(SparkListenerStageCompleted done) {
        var info = done.stageInfo();
        var m = info.taskMetrics();
        System.err.printf(
                "  STAGE %s: wall %.2f tasks %d run %.2f cpu %.2f gc %.2f deser %.2f shufW %.2f(%d MB) fetch %.2f spillD %d MB%n",
                info.name().replace('\n', ' '),
                ((Long) info.completionTime().get()
                                - (Long) info.submissionTime().get())
                        / 1e3,
                info.numTasks(),
                m.executorRunTime() / 1e3,
                m.executorCpuTime() / 1e9,
                m.jvmGCTime() / 1e3,
                m.executorDeserializeTime() / 1e3,
                m.shuffleWriteMetrics().writeTime() / 1e9,
                m.shuffleWriteMetrics().bytesWritten() >> 20,
                m.shuffleReadMetrics().fetchWaitTime() / 1e3,
                m.diskBytesSpilled() >> 20);
    }
}
