import { Trainer } from '#quant/learning/boosting/trainer.ts';
import { marketProblem } from './market-problem.ts';
import { generatedProblem } from './problem.ts';
import { PARAMETERS } from './contest.ts';
for (const [n,p] of [['m', await marketProblem('/work/shared/data/idx-daily.tar.gz')],['g', generatedProblem()]] as const)
for (const threads of [1,2]) { const t = await Trainer.start(threads);
 for (const subsample of [1,.5]) { const c:number[]=[],w:number[]=[];
  for (let i=0;i<6;i++){ const b=performance.now(), cpu=process.cpuUsage(); t.train(t.bin(p.learnt.matrix,{bins:64}),{classes:2,labels:p.learnt.labels,rows:p.learnt.matrix.allRows,parameters:{...PARAMETERS,subsample}});
   const u=process.cpuUsage(cpu); c.push((u.user+u.system)/1000|0); w.push(performance.now()-b|0);} console.log(n,threads,subsample,'cpu',c.sort((a,b)=>a-b).join(' '),'wall',w.sort((a,b)=>a-b).join(' ')); } await t.stop(); }
process.exit(0)
